package failure

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// reported has results of changing calls, one a line: the tool, its arguments, and the text.
// Those in undoneReports say that the deed did not happen, those in doneReports do not.
var undoneReports = `
cancel_order|{}|The cancellation could not be completed.
cancel_order|{}|No such order
cancel_order|{}|No such order: W-7
cancel_order|{}|Order W-7 not found.
cancel_order|{}|Order W-7 was not found
cancel_order|{}|The order W-7 does not exist.
cancel_order|{}|Order W-7 doesn't exist
cancel_order|{}|There is no order W-7.
cancel_order|{}|No order with id W-7
cancel_order|{}|We couldn't find that order.
cancel_order|{}|Sorry, we were unable to cancel the order.
cancel_order|{}|I'm sorry, but the order cannot be cancelled.
cancel_order|{}|Order W-7 can't be cancelled because it was shipped
cancel_order|{}|Order W-7 can no longer be canceled
cancel_order|{}|The order is shipped, so it cannot be cancelled.
cancel_order|{}|Order W-7 was not cancelled.
cancel_order|{}|Order not cancelled
cancel_order|{}|Nothing was changed.
cancel_order|{}|Nothing to cancel.
cancel_order|{}|No changes were made.
cancel_order|{}|No action was taken.
cancel_order|{}|No order was cancelled.
cancel_order|{}|0 orders cancelled
cancel_order|{}|Cancelled 0 orders
cancel_order|{}|Cancelled: 0
cancel_order|{}|Cancellation failed
cancel_order|{}|Cancel failed: already shipped
cancel_order|{}|The operation was unsuccessful.
cancel_order|{}|The cancellation did not succeed
cancel_order|{}|Cancellation request was rejected by the warehouse
cancel_order|{}|Permission denied
cancel_order|{}|You do not have permission to cancel this order.
cancel_order|{}|You are not allowed to cancel orders.
cancel_order|{}|Order W-7 is not eligible for cancellation
cancel_order|{}|Insufficient permissions
cancel_order|{}|Invalid order id
cancel_order|{}|Unknown order W-7
cancel_order|{}|Missing required parameter: order_id
cancel_order|{}|order_id is required
cancel_order|{}|NOT_FOUND
cancel_order|{}|ERR_ORDER_NOT_FOUND
cancel_order|{}|FAILED
cancel_order|{}|false
cancel_order|{}|❌ Order not found
pay_invoice|{}|Payment declined
pay_invoice|{}|Insufficient funds.
pay_invoice|{}|Not enough balance on account A-1
pay_invoice|{}|Your daily limit has been exceeded
pay_invoice|{}|Transaction aborted
transfer_money|{}|The transfer was not executed
transfer_money|{}|Transfer timed out
transfer_money|{}|Transaction rolled back: account locked
update_address|{}|UPDATE 0
update_address|{}|0 rows affected
update_address|{}|Rows affected: 0
update_address|{}|No rows were updated
delete_file|{}|DELETE 0
delete_file|{}|File was not removed
delete_file|{}|Deletion blocked by retention policy
send_email|{}|Email could not be sent
send_email|{}|The message was not sent: mailbox full
send_email|{}|Your email has not been delivered
book_flight|{}|Booking failed.
book_flight|{}|The booking did not go through
book_flight|{}|Unfortunately, the flight could not be booked.
book_flight|{}|Flight HAT1 is not available on date 2024-05-13
block_user|{}|User u1 not found
reject_request|{}|The request was not rejected
cancel_order|{}|{"status":"rejected"}
cancel_order|{}|{"order_id":"W-7","status":"rejected"}
cancel_order|{}|{"order_id":"W-7","status":"not_found"}
cancel_order|{}|{"ok":false}
cancel_order|{}|{"ok":0}
cancel_order|{}|{"done":false}
cancel_order|{}|{"accepted":false,"reason":"shipped"}
cancel_order|{}|{"cancelled":false}
cancel_order|{}|{"cancelled":0}
cancel_order|{}|{"cancelled":[]}
cancel_order|{}|{"order_id":"W-7","cancelled":false,"status":"shipped"}
cancel_order|{}|{"message":"Order W-7 not found"}
cancel_order|{}|{"result":"no such order"}
cancel_order|{}|{"result":{"success":false}}
cancel_order|{}|{"data":{"cancelled":0}}
cancel_order|{}|{"code":"ORDER_NOT_FOUND"}
cancel_order|{}|{"error_code":"E17","order_id":"W-7"}
cancel_order|{}|{"errorMessage":"shipped"}
cancel_order|{}|{"succeeded":0,"failed":1}
cancel_order|{}|{"cancelled":[],"failed":["W-7"]}
cancel_order|{}|[{"status":"rejected"}]
delete_user|{}|{"deleted":0}
delete_user|{}|{"deletedCount":0}
delete_user|{}|{"acknowledged":true,"deletedCount":0}
delete_user|{}|{"rows_affected":0}
delete_user|{}|{"n_deleted": 0}
update_user|{}|{"matched":0,"modified":0}
update_user|{}|{"matchedCount":1,"modifiedCount":0}
update_user|{}|{"changed":false}
refund_payment|{}|We regret that your refund request has been turned down
refund_payment|{}|{"refund":{"status":"failed"}}
refund_payment|{}|{"amount_refunded": 0}
update_profile|{}|Profile unchanged
update_profile|{}|no-op
create_event|{}|Event already exists
create_event|{}|Duplicate entry
add_to_cart|{}|Item is out of stock
book_appointment|{}|The slot is already taken.
send_sms|{}|Delivery failed
transfer_funds|{}|{"transactionStatus":"REJECTED"}
transfer_funds|{}|{"approved":false}
transfer_funds|{}|ok: false
transfer_funds|{}|status: rejected
transfer_funds|{}|Status=FAILED
deploy_service|{}|{"stdout":"","stderr":"no such cluster","returncode":1}
deploy_service|{}|{"exit_code":2,"output":"` + long + `"}
restart_service|{}|{"exitCode":"137"}
delete_files|{}|{"dry_run":true,"would_delete":["a.txt"]}
delete_files|{}|{"dryRun":true,"deleted":["a.txt"]}
send_email|{}|{"simulated":true,"id":"m-1"}
apply_migration|{}|{"executed":false}
cancel_order|{}|{"content":[{"type":"text","text":"Order W-7 not found"}]}
cancel_order|{}|{"content":[{"type":"text","text":"Error: the order was shipped"}],"isError":false}
cancel_order|{}|[{"type":"text","text":"{\"cancelled\":false}"}]
`

var long = strings.Repeat("x", 3*longestReport)

const doneReports = `
deploy_service|{}|{"stdout":"done","stderr":"","returncode":0}
delete_files|{"dry_run": true}|{"dry_run":true,"would_delete":["a.txt"]}
preview_email|{}|{"simulated":true}
delete_files|{}|{"dry_run":false,"deleted":["a.txt"]}
cancel_order|{}|{"content":[{"type":"text","text":"Order W-7 cancelled"}]}
search_code|{}|{"returncode":1,"stdout":""}
create_product|{"code":"RC1"}|{"rc":0,"id":"p-1"}
cancel_order|{}|Order W-7 cancelled.
cancel_order|{}|Cancelled; no refund was issued.
cancel_order|{}|Done. Nothing else was changed.
cancel_order|{}|Order cancelled. You will not be charged.
cancel_order|{}|Order cancelled, but the email could not be sent.
cancel_order|{}|Cancelled with 0 errors
cancel_order|{}|No errors. Order W-7 is cancelled.
cancel_order|{}|No fee was charged.
cancel_order|{}|No cancellation fee applies.
cancel_order|{}|Your card was not charged.
cancel_order|{}|The refund was not processed yet; the order is cancelled.
cancel_order|{}|Success
cancel_order|{}|ok
cancel_order|{}|true
cancel_order|{}|null
cancel_order|{}|
cancel_order|{}|1 row affected
cancel_order|{}|This action cannot be undone.
cancel_order|{}|No further action is needed.
cancel_order|{}|Order W-7 is already cancelled
cancel_order|{}|It could not be easier: cancelled.
delete_file|{}|Deleted a.txt. This cannot be undone.
delete_file|{}|{"deleted":1}
delete_file|{}|{"deleted":true,"errors":[]}
delete_failed_jobs|{}|Failed jobs deleted
delete_failed_jobs|{}|{"deleted":3,"failed":0}
cancel_orders|{}|{"cancelled":["W-8"],"failed":["W-7"]}
cancel_orders|{}|1 of 2 orders cancelled, W-7 not found
create_user|{}|User did not exist; created u1.
create_user|{}|{"id":"u1","active":false,"deleted":false}
create_user|{}|{"id":"u1","verified":false,"orders":0,"failed_logins":0}
reject_request|{}|Request rejected
reject_request|{}|{"request_id":"R-1","status":"rejected"}
decline_invitation|{}|Invitation declined.
deny_access|{}|Access denied
block_user|{}|User u1 blocked
block_user|{}|{"user_id":"u1","status":"blocked"}
set_claim_status|{"status":"rejected"}|{"claim_id":"C-1","status":"rejected"}
set_claim_status|{"claim_id":"C-1","status":"denied"}|Claim denied
add_note|{"text":"Payment declined"}|Payment declined
create_incident|{"title":"Order not found"}|Order not found
send_message|{}|I do not have the order number, no such order
send_message|{}|Sorry, we are not available. Order not found.
update_order|{}|{"order_id":"W-7","status":"pending","payment":"declined","items":[]}
update_order|{}|Updated. Missing members were not changed.
place_order|{}|We could not verify the address, but the order was placed.
create_expense|{}|{"expense_id":"E-1","amount":12,"approved":false}
close_ticket|{}|Ticket T-1 is not open any more
disable_user|{}|User u1 is offline
pay_order|{}|{"order_id":"W-7","amount_paid":12,"amount_refunded":0}
pause_device|{}|OK: device is offline
get_order|{}|Order W-7 not found
get_order|{}|{"order_id":"W-7","cancelled":false}
get_order|{}|{"order_id":"W-7","status":"rejected"}
get_order|{}|{"cancelled":0}
search_orders|{}|Nothing was changed.
check_payment|{}|Payment declined
list_changes|{}|No changes were made.
read_file|{}|{"ok_count":0,"updated":0}
run_tests|{}|3 tests, 0 failed, 0 skipped
`

func TestUndone(t *testing.T) {
	for want, lines := range map[bool]string{true: undoneReports, false: doneReports} {
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 3)
			arguments, err := jsonval.Parse(parts[1])
			if err != nil {
				t.Fatal(line, err)
			}
			deed := mutation.DeedOf(parts[0])
			if got := Says(parts[2]) && want || reportOf(&deed, arguments, parts[2]) == Undone; got != want {
				t.Errorf("%s → %s: undone %v", parts[0], parts[2], got)
			}
		}
	}
}

// partReports has results of deeds of which only a part was done, wholeReports those of other
// deeds, in the form of undoneReports.
const partReports = `
cancel_orders|{}|{"cancelled":["W-8"],"failed":["W-7"]}
cancel_orders|{}|1 of 2 orders cancelled, W-7 not found
delete_emails|{}|{"deleted":2,"failed":1}
delete_emails|{}|{"deleted":[1,2],"not_found":[3]}
delete_emails|{}|{"requested":3,"deleted":2}
delete_emails|{}|{"data":{"total":3,"deleted":2}}
delete_emails|{}|Deleted 2 of 3 emails.
delete_emails|{}|Deleted 2 of the 3 emails.
delete_emails|{}|2/3 emails deleted
delete_emails|{}|2 emails deleted, 1 failed
delete_emails|{}|Successfully deleted 2 of 3 emails
send_invites|{}|{"results":[{"to":"a","status":"sent"},{"to":"b","status":"failed"}]}
send_invites|{}|[{"to":"a","status":"sent"},{"to":"b","error":"mailbox full"}]
send_invites|{}|[{"to":"a","ok":true},{"to":"b","ok":false}]
send_invites|{}|{"results":[{"statusCode":200},{"statusCode":404}]}
refund_payments|{}|{"status":"partial"}
refund_payments|{}|{"status":"partially_completed","refund_id":"R-1"}
refund_payments|{}|{"message":"Partially refunded: 2 payments could not be found"}
batch_write|{}|{"processed":24,"unprocessed":[{"id":7}]}
import_rows|{}|{"total":100,"succeeded":97}
send_invites|{}|{"content":[{"type":"text","text":"Sent 1 of 2 invites"}]}
`

const wholeReports = `
delete_emails|{}|{"deleted":3,"failed":0}
delete_emails|{}|{"deleted":[1,2],"not_found":[]}
delete_emails|{}|{"requested":3,"deleted":3}
delete_emails|{}|Deleted 3 of 3 emails.
delete_emails|{}|{"deleted":0,"failed":3}
delete_emails|{}|Deleted 3 emails, 0 failed
send_invites|{}|{"results":[{"to":"a","status":"sent"},{"to":"b","status":"sent"}]}
send_invites|{}|[{"to":"a","status":"failed"},{"to":"b","status":"failed"}]
save_step|{}|Step 2 of 3 saved
move_meeting|{}|Meeting moved to 03/12
update_order|{}|{"order_id":"W-1","total":250,"items":[{"id":1,"status":"returned"},{"id":2,"status":"pending"}],"updated":true}
update_order|{}|{"order_id":"W-1","total":250,"updated":1}
cancel_order|{}|{"order_id":"W-1","status":"cancelled","payments":[{"status":"refunded"},{"status":"paid"}]}
get_jobs|{}|{"results":[{"status":"done"},{"status":"failed"}]}
refund_payment|{}|No partial refund was made; the whole amount was refunded.
cancel_order|{}|Order cancelled.
update_profile|{}|{"name":"A","failed_logins":2,"updated":true}
`

func TestPartly(t *testing.T) {
	for want, lines := range map[bool]string{true: partReports, false: wholeReports} {
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 3)
			arguments, err := jsonval.Parse(parts[1])
			if err != nil {
				t.Fatal(line, err)
			}
			deed := mutation.DeedOf(parts[0])
			if got := reportOf(&deed, arguments, parts[2]); got == Partly != want {
				t.Errorf("%s → %s: report %v", parts[0], parts[2], got)
			}
		}
	}
}

// TestWaiting is the law of waits.go: a result that only asks for an approval is of a deed that was not
// done. The results are drawn from how programs say so.
func TestWaiting(t *testing.T) {
	tools := []string{"pay_bill", "cancel_order", "delete_account", "transfer_money", "send_email", "update_user"}
	var texts []string
	for _, what := range []string{"approval", "confirmation", "authorization"} {
		for _, say := range []string{"Tool call requires %.", "Waiting for user %", "Awaiting % by a manager", "This action needs human %", "Pending %", "Paused: % required before it can run", "Submitted for %", "Held until % is given", "% is required."} {
			texts = append(texts, strings.ReplaceAll(say, "%", what))
		}
		for _, say := range []string{`{"status":"pending_%"}`, `{"status":"awaiting_%"}`, `{"state":"requires-%","message":"A person must look at it"}`, `{"success":true,"status":"PendingX"}`, `{"requires_%":true}`, `{"result":{"status":"awaiting %"}}`, `{"ok":true,"message":"Needs % first"}`, `{"id":7,"status":"pending_%"}`} {
			texts = append(texts, strings.ReplaceAll(strings.ReplaceAll(say, "%", what), "X", strings.ToUpper(what[:1])+what[1:]))
		}
	}
	for _, tool := range tools {
		deed := mutation.DeedOf(tool)
		for _, text := range texts {
			if got := reportOf(&deed, jsonval.Value{}, text); got != Waiting {
				t.Errorf("%s returned %s: report %d", tool, text, got)
			}
		}
	}
	for _, c := range [][2]string{{"pay_bill", "Bill paid. No approval required."}, {"pay_bill", "Paid, approval was not needed"}, {"cancel_order", "Order cancelled, confirmation sent"}, {"request_approval", "Awaiting approval"},
		{"create_ticket", `{"id":"po-1","status":"pending_approval"}`}, {"send_email", "Sent the confirmation email"}, {"pay_bill", `{"status":"paid","requires_approval":false}`}, {"pay_bill", `{"paid":true,"approval":"pending"}`},
		{"get_order", `{"status":"pending_approval"}`}, {"pay_bill", "Confirmation number 77"}, {"pay_bill", `{"status":"ok","confirmation":"required-99"}`}} {
		deed := mutation.DeedOf(c[0])
		if got := reportOf(&deed, jsonval.Value{}, c[1]); got == Waiting {
			t.Errorf("%s returned %s: waits", c[0], c[1])
		}
	}
}
