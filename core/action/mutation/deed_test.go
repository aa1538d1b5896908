package mutation

import (
	"strings"
	"testing"
)

func TestDeedOf(t *testing.T) {
	check := func(name, class, object, place string) {
		t.Helper()
		d := DeedOf(name)
		if d.Class != class || strings.Join(d.Object, " ") != object || strings.Join(d.Place, " ") != place {
			t.Errorf("%s: %q of %v at %v, want %q of %q at %q", name, d.Class, d.Object, d.Place, class, object, place)
		}
	}
	check("delete_item", "remove", "item", "")
	check("remove_from_cart", "remove", "", "cart")
	check("deleteReviews", "remove", "review", "")
	check("archive_reviews", "archive", "review", "")
	check("delete_selected", "remove", "", "")
	check("delete_all_drafts", "remove", "draft", "")
	check("select_all", "", "", "")
	check("open_reviews", "open", "review", "")
	check("process_return", "return", "", "")
	check("cancel_order", "cancel", "order", "")
	check("order_cancel", "cancel", "order", "")
	check("make_payment", "pay", "", "")
	check("create_order", "order", "", "")
	check("create_ticket", "create", "ticket", "")
	check("add_comment", "create", "comment", "")
	check("get_order_details", "read", "order detail", "")
	check("get_user_by_email", "read", "user", "")
	check("mcp__shop__remove_items", "remove", "item", "")
	check("send_email", "send", "email", "")
	check("verify_identity", "check", "identity", "")
	check("update_shipping_address", "update", "shipping address", "")
	check("return_delivered_order_items", "return", "delivered order item", "")
	check("retire_tractors", "retire", "tractor", "")
	check("pause_subscription", "pause", "subscription", "")
	check("hold_seat", "hold", "seat", "")
	check("issue_voucher", "issue", "voucher", "")
	check("issue_refund", "refund", "", "")
	check("press_key", "", "key", "")
	check("frobnicate", "", "frobnicate", "")
	check("", "", "", "")
	check("begin_transaction", "start", "transaction", "")
	check("hide_flagged", "hide", "", "")
	check("filter_negative", "", "negative", "")
}
