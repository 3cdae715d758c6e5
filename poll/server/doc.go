// Package server runs a throwaway PostgreSQL: for the demo, the lab and tests.
//
// Three processes take part. The program that calls Start, a helper (the same
// executable started again, see RunHelperIfAsked) and the postmaster, a direct
// child of the helper:
//
//	program ──stdin pipe──▶ helper ──direct child──▶ postgres
//
// The helper ends the server and removes its files when the pipe closes, which
// it does however the program ends, kill -9 included. On Linux the kernel tells
// the postmaster when the helper dies, so that killing the helper or both leaves
// no process either; their files are removed by the next start (see workDir).
//
// The server listens on a Unix socket only, in a folder that nobody else can
// enter, so it needs no port and no password. Started by root, helper and server
// run as an unprivileged user (see serverUser).
//
// Nothing here touches a server that it did not start. Work on a throwaway
// server goes over Conn, which only a Server hands out.
package server
