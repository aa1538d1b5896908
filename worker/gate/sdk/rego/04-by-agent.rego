package policy

deny if { startswith(input.agent, "bot-"); startswith(input.tool, "pay_") }
deny if {
	startswith(input.agent, "help-"); input.tool == "add_note"
	count([h | some h in input.history; h.tool == "add_note"; h.agent == input.agent; h.outcome != "failed"; h.age < 60]) >= 2
}
