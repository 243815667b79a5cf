# The command line in a container: `docker build -t callsheet .`; docs/deploy.md says how to run it.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /build
RUN rustup target add wasm32-unknown-unknown
COPY . .
RUN cargo build --release --locked --package callsheet

FROM debian:bookworm-slim
# Certificates for the requests of `callsheet run` to models.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /build/LICENSE-APACHE /build/LICENSE-MIT /usr/share/doc/callsheet/
COPY --from=build /build/target/release/callsheet /usr/local/bin/
USER 65532:65532
WORKDIR /project
ENTRYPOINT ["callsheet"]
CMD ["check"]
