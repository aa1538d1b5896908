package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// endedKey is the id under which the store marks the sessions of a removed key.
func endedKey(tenant, mark string) string { return "key " + tenant + " " + mark }

// removedKeys returns the approvers' keys of from that are not in to.
func removedKeys(from, to []Key) []Key {
	return slices.DeleteFunc(slices.Clone(from), func(k Key) bool {
		return k.Role != machine.Approver || slices.ContainsFunc(to, func(o Key) bool { return o.identity() == k.identity() })
	})
}

// endKeys ends what approvers have begun with keys that are removed, so that it does not come
// back with the keys: their page sessions and passkeys, the delegations from and to them, what
// the gate remembers for them, and the calls that they have approved and nobody has claimed. It may be
// called again after an error.
func (g *Gate) endKeys(ctx context.Context, removed []Key) error {
	for i := range removed {
		k := &removed[i]
		if err := g.Store.EndUntil(ctx, endedKey(k.Tenant, k.mark()), g.Now()+sessionFor); err != nil {
			return err
		}
		for _, end := range []func(context.Context, *Key, string) error{g.endDelegations, g.endRememberedOf, g.endPasskeys, g.voidApprovals} {
			if err := end(ctx, k, "the key "+k.describe()+" was removed"); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasMark reports whether a list of marks, as they are stored, has that of the key.
func (k *Key) hasMark(marks string) bool { return slices.Contains(strings.Fields(marks), k.mark()) }

func (g *Gate) endDelegations(ctx context.Context, k *Key, why string) error {
	for after := (store.Place{}); ; {
		all, next, err := g.Store.Delegations(ctx, k.Tenant, "", g.Now(), after)
		for i := 0; i < len(all) && err == nil; i++ {
			if d := &all[i]; d.Giver == k.Name && k.hasMark(d.Keys) || d.To == k.Name && k.hasMark(d.ToKeys) {
				_, err = g.Store.EndDelegation(ctx, k.Tenant, d.ID, machine.UndelegateEntry(d, machine.Principal{}, "keys", why, g.Now()))
			}
		}
		if after = next; err != nil || next == (store.Place{}) {
			return err
		}
	}
}

func (g *Gate) endRememberedOf(ctx context.Context, k *Key, why string) error {
	for after := (store.Place{}); ; {
		all, next, err := g.Store.Remembered(ctx, k.Tenant, g.Now(), after)
		for i := 0; i < len(all) && err == nil; i++ {
			if m := &all[i]; m.By == k.Name && k.hasMark(m.Keys) {
				_, err = g.Store.EndRemembered(ctx, k.Tenant, m.ID, machine.ForgetEntry(k.Tenant, m.ID, machine.Principal{}, "keys", why, g.Now()))
			}
		}
		if after = next; err != nil || next == (store.Place{}) {
			return err
		}
	}
}

func (g *Gate) endPasskeys(ctx context.Context, k *Key, why string) error {
	all, err := g.Store.Passkeys(ctx, k.Tenant, k.Name)
	for i := 0; i < len(all) && err == nil; i++ {
		if p := &all[i]; p.Mark == k.mark() {
			_, err = g.Store.RemovePasskey(ctx, k.Tenant, k.Name, p.ID, passkeyEntry(k.Tenant, k.Name, "keys", why, g.Now()))
		}
	}
	return err
}

// voidApprovals ends the calls in whose approval the approver has a part. Nobody knows with
// which of several keys that was.
func (g *Gate) voidApprovals(ctx context.Context, k *Key, _ string) error {
	const page = 200
	void := func(all []machine.Record) error {
		for i := range all {
			e := machine.Event{Kind: machine.Void, By: k.Principal}
			if m := all[i].Why.Recalled; m != nil {
				if still, err := g.stillRecalled(ctx, &all[i], g.Now()); err != nil {
					return err
				} else if still {
					continue
				}
				e.Text = "the remembered yes of " + m.By + " has ended: propose the call again"
			} else if len(all[i].Votes) == 0 {
				continue
			}
			if _, _, err := g.Apply(ctx, k.Tenant, all[i].ID, e); err != nil {
				return err
			}
		}
		return nil
	}
	for after := (store.Place{}); ; {
		all, err := g.Store.Page(ctx, k.Tenant, "", after, page)
		if err == nil {
			err = void(all)
		}
		if err != nil {
			return err
		}
		if len(all) < page {
			break
		}
		after = store.PlaceOf(&all[page-1])
	}
	for after := (store.Place{}); ; {
		all, err := g.Store.Approved(ctx, k.Tenant, g.Now(), after, page)
		if err == nil {
			err = void(all)
		}
		if err != nil || len(all) < page {
			return err
		}
		after = store.PlaceOf(&all[page-1])
	}
}
