// Package lab brings throwaway servers into states worth looking at. It works over
// server.Conn only, which no other server can have.
package lab
