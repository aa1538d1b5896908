package policy

local := [input.ns, "Europe/Berlin"]
office if { not time.weekday(local) in {"Saturday", "Sunday"}; time.clock(local)[0] >= 8; time.clock(local)[0] < 18 }
deny if { input.changes; not office }
