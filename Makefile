# Everything that CI does, one target each. `make test` installs nothing but Go
# modules and, where npm is, the Node driver that one test drives.

STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# promtool comes with Prometheus (Debian's package: prometheus), amtool, which
# the routes of alerts are tested with, with Alertmanager (prometheus-alertmanager).
PROMTOOL ?= promtool
AMTOOL ?= amtool
NFPM := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.48.0

NODE_CLIENT := simulator/testdata/node
VERSION_PACKAGE := github.com/prometheus/common/version
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
REVISION ?= $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X $(VERSION_PACKAGE).Version=$(VERSION) -X $(VERSION_PACKAGE).Revision=$(REVISION)
# A package's version begins with a digit, a commit's does not.
PACKAGE_VERSION ?= $(if $(filter v%,$(VERSION)),$(VERSION:v%=%),0.0.0+$(subst -,.,$(VERSION)))
BUILD := CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)'

.PHONY: all build cross test page pictures soak fuzz node lint rules reference dashboards manifests deploy configurations package image reproduce clean

all: lint test build

build:
	$(BUILD) -o oranet_exporter .

cross:
	GOOS=linux   GOARCH=arm64 $(BUILD) -o dist/oranet_exporter-linux-arm64 .
	GOOS=darwin  GOARCH=arm64 $(BUILD) -o dist/oranet_exporter-darwin-arm64 .
	GOOS=windows GOARCH=amd64 $(BUILD) -o dist/oranet_exporter-windows-amd64.exe .

test: node
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	go test -race ./...
	cd dashboards && go vet ./... && go test -race ./...

node:
	@if command -v npm >/dev/null; then \
		cd $(NODE_CLIENT) && npm ci --no-audit --no-fund; \
	else \
		echo "npm is not installed: the tests with Oracle's Node driver will be skipped"; \
	fi

# Endurance: all probes beside a database that misbehaves in another way every second.
SOAK ?= 10m
soak:
	go test ./e2e -run TestSoak -count=1 -timeout 0 -v -soak $(SOAK)

# Every fuzz target there is, one after the other. FUZZTIME=1000x is 1,000 inputs
# each, a few seconds; times that short end in errors of go test now and then.
FUZZTIME ?= 5m
fuzz:
	@list=$$(go test -list '^Fuzz' ./...) || { echo "$$list"; exit 1; }; \
	echo "$$list" | awk '/^Fuzz/ {name[++n] = $$1} /^ok/ {while (n) print $$2, name[n--]}' | \
	while read -r package target; do \
		echo "$$package $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x -parallel 1 $$package || exit 1; \
	done

# The status pages in a browser (Debian's package: chromium): accessible, no
# request but for the page, light and dark, on a desk and on a phone.
SCREENSHOTS := docs/screenshots
page: build
	cd $(SCREENSHOTS) && npm ci --no-audit --no-fund && node main.mjs $(CURDIR)/oranet_exporter

# The pictures of the README and the documentation; the demo runs for a while.
pictures: build
	cd $(SCREENSHOTS) && npm ci --no-audit --no-fund && node main.mjs $(CURDIR)/oranet_exporter $(CURDIR)/docs/images

lint:
	$(STATICCHECK) ./...
	cd dashboards && $(STATICCHECK) ./...
	cd deploy/check && $(STATICCHECK) ./...

# Older promtools refuse the two keys that turn native histograms on, so the
# scrape configurations are checked without them.
rules:
	$(PROMTOOL) check rules deploy/prometheus/rules/*.yml
	$(PROMTOOL) test rules deploy/prometheus/tests/*.yml
	go test ./deploy/prometheus
	go test -run 'TestRules|TestEachFailure' ./exporter
	sed '/_histograms:/d' deploy/prometheus/prometheus.yml | $(PROMTOOL) check config --syntax-only /dev/stdin
	sed '/_histograms:/d' deploy/prometheus/agent.yml | $(PROMTOOL) check config --agent --syntax-only /dev/stdin
	$(PROMTOOL) check config deploy/prometheus/centre.yml

# The metric reference is made from the declarations; a test holds it to them.
reference:
	go test ./exporter -run TestMetricReference -count=1 -update

dashboards:
	cd dashboards && go generate

# Those files of deploy/ that repeat others.
manifests:
	cd deploy/check && go generate

# All of deploy/, each part by what reads it: compose, Kubernetes, Prometheus,
# Alertmanager, dpkg, rpm, systemd, a container runtime.
deploy: package image configurations

# What compose, kustomize, systemd, Prometheus and Alertmanager read.
configurations: build
	deploy/check/configurations.sh
	cd deploy/check && go vet ./... && go test -count=1 ./...
	sed '/_histograms:/d' deploy/compose/prometheus.yml | $(PROMTOOL) check config --syntax-only /dev/stdin
	$(AMTOOL) check-config deploy/prometheus/alertmanager.yml

# The deb and the rpm, in dist/. It needs root, dpkg, rpm and systemd.
package: build
	NFPM=$(NFPM) GOARCH=$(shell go env GOARCH) VERSION=$(PACKAGE_VERSION) deploy/check/package.sh

# It needs root, buildah, crun and jq.
image: build
	deploy/check/image.sh

# Measures for some minutes, as root, and writes docs/reproduction.md.
reproduce:
	go run ./reproduction

clean:
	rm -rf oranet_exporter dist
