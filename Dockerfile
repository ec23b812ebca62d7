# A static binary in an otherwise empty image, run by nobody in particular.
#
#   docker build --build-arg VERSION=$(git describe --tags --always) \
#                --build-arg REVISION=$(git rev-parse HEAD) -t oranet_exporter .
#   docker run -p 9522:9522 -v ./oranet:/etc/oranet:ro oranet_exporter

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
ARG REVISION=unknown
RUN make build VERSION=${VERSION} REVISION=${REVISION}

FROM scratch
# For databases whose certificate a public authority signed: one-way TLS, no wallet.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /src/oranet_exporter /oranet_exporter
USER 65534:65534
EXPOSE 9522
HEALTHCHECK CMD ["/oranet_exporter", "healthcheck"]
ENTRYPOINT ["/oranet_exporter"]
CMD ["--config.file=/etc/oranet/oranet.yml"]
