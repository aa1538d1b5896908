module github.com/boundcheck/boundcheck

go 1.26.0

require (
	github.com/syumai/workers v0.33.0
	github.com/tetratelabs/wazero v1.12.0
	github.com/tidwall/gjson v1.20.0
	golang.org/x/tools v0.52.0
)

require (
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

tool github.com/syumai/workers/cmd/workers-assets-gen
