package policy

looked if { some h in input.history; h.tool == "get_order"; h.agent == input.agent; h.outcome == "executed"; h.age < 86400; text(h.arguments.order_id) == text(input.arguments.order_id) }
text(v) := sprintf("%v", [v])
deny if { input.tool == "cancel_order"; not looked }
