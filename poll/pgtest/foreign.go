package pgtest

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// Foreign stands before the server as one that speaks another language: the words of its
// errors, warnings and notices are other ones, in bytes that are no UTF-8. SQLSTATE,
// routine and numbers stay. It returns what to connect with as a role; it ends with the
// test.
func (s *Server) Foreign(t testing.TB, role string) (connString string) {
	t.Helper()
	dir := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(dir, socketName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	server := filepath.Join(s.SocketDir, socketName)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go interpret(client, server)
		}
	}()
	return fmt.Sprintf("host=%s port=5432 user=%s dbname=postgres sslmode=disable", dir, role)
}

// socketName is the name of a server's socket in its folder.
const socketName = ".s.PGSQL.5432"

// interpret stands between one client and the server until one of them has gone.
func interpret(client net.Conn, server string) {
	defer client.Close()
	upstream, err := net.Dial("unix", server)
	if err != nil {
		return
	}
	defer upstream.Close()
	go func() {
		_, _ = io.Copy(upstream, client)
		upstream.Close()
	}()
	header := make([]byte, 5) // the kind of a message, and its length without the kind
	for {
		if _, err := io.ReadFull(upstream, header); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(header[1:])-4)
		if _, err := io.ReadFull(upstream, body); err != nil {
			return
		}
		if header[0] == 'E' || header[0] == 'N' { // ErrorResponse, NoticeResponse
			body = translated(body)
			binary.BigEndian.PutUint32(header[1:], uint32(len(body)+4))
		}
		if _, err := client.Write(append(header[:5:5], body...)); err != nil {
			return
		}
	}
}

// translated is a message of fields, each a letter and a text that ends with 0, in the
// foreign language: what a server translates of them.
func translated(body []byte) []byte {
	const words = "SMDHW" // severity, message, detail, hint, context
	var out strings.Builder
	for field := range strings.SplitSeq(strings.TrimRight(string(body), "\x00"), "\x00") {
		if field != "" && strings.Contains(words, field[:1]) {
			field = field[:1] + InForeign(field[1:])
		}
		out.WriteString(field + "\x00")
	}
	return []byte(out.String() + "\x00")
}

// InForeign is a text in the language of Foreign.
func InForeign(text string) string {
	return "\xe9" + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, text)
}
