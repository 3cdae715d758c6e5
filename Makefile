# What a newcomer needs: make demo, make test. What contributors need beside them: make lint, make bench.

staticcheck = honnef.co/go/tools/cmd/staticcheck@v0.8.2
folders     = cmd model poll tui .ci

.PHONY: build demo test lint bench

# one static binary
build:
	CGO_ENABLED=0 go build -trimpath -o bin/vacscope ./cmd/vacscope

demo: build
	bin/vacscope demo --fetch

# Servers that cannot be fetched are named at the end, with the tests that were not run for it.
test:
	-go run ./cmd/vacscope fetch-servers 13 14 15 16 17 18
	go run .ci/test.go

lint:
	@unformatted=$$(gofmt -l $(folders)); test -z "$$unformatted" || { echo "not formatted by gofmt: $$unformatted"; exit 1; }
	go vet ./...
	go vet .ci/test.go
	go vet .ci/bench.go
	go vet ./.ci/capture
	go run $(staticcheck) ./...

# The limits that the program keeps, measured: about an hour, on a machine with nothing else to do.
bench:
	go run .ci/bench.go $(BENCH)
