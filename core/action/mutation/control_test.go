package mutation

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

func TestControlNames(t *testing.T) {
	checkNames(t, "control", `think thinking sequentialthinking sequential_thinking calculate calculator
		calculate_tip ask_user ask_followup_question ask_question ask respond reply
		answer final_answer submit_answer respond_to_user send_message_to_user
		transfer_to_human_agents transfer_to_human transferToAgent transfer_call_to_human
		escalate escalate_to_human_agent handoff hand_off_to_operator human_handoff
		connect_to_live_agent request_human_assistance finish done terminate stop
		complete_task finish_task task_complete end_conversation noop no_op wait sleep
		convert_currency unit_conversion report_infeasible wait_for_user mcp__agent__think`)
	checkNames(t, "yes", `send_message send_email send_certificate send_message_to_supplier reply_to_email
		reply_to_review respond_to_invite transfer_funds transfer_money_to_agent
		stop_server terminate_instance complete_order finish_and_pay escalate_ticket
		hand_over_keys_and_sell calculate_and_save pass_and_delete close_task`)
}

// TestControlNeedsMeaning checks names with a word such as think or stop that mean a
// change as a whole. For example, think_delete and stop_all_servers are not control
// actions.
func TestControlNeedsMeaning(t *testing.T) {
	for _, name := range strings.Fields(`think_delete delete_thoughts transfer_agent_funds stop_all_servers
		transfer_agent delegate_to_agent end_contract ask_supplier exit_position wait_and_buy think_then_post`) {
		if v := (*Classifier)(nil).Classify(name, jsonval.Value{}); !v.Counts() {
			t.Errorf("%s: %+v", name, v)
		}
	}
}
