package policy

looked if {
	some h in input.history
	h.tool == "get_order"; h.agent == input.agent; h.outcome == "executed"; h.age < 86400
	h.arguments.order_id == input.arguments.order_id; h.result.customer.id == input.arguments.customer_id
}
small if { is_number(input.arguments.amount); input.arguments.amount <= 50 }
deny if { input.tool == "refund"; not looked }
hold := 2 if { input.tool == "refund"; not small }
allow if { input.tool == "refund"; small; object.keys(input.arguments) == {"order_id", "customer_id", "amount"} }
