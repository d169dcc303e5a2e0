package tidepool.evidence.faults;

import java.util.List;
import tidepool.fabric.Fabric;
import tidepool.store.Membership;
import tidepool.store.Roster;

/** A membership around another one. It changes nothing; subclasses override one thing and break it. */
class FilterMembership implements Membership {
    protected final Membership inner;

    FilterMembership(Membership inner) {
        this.inner = inner;
    }

    @Override
    public Roster latest() {
        return inner.latest();
    }

    @Override
    public Roster read() {
        return inner.read();
    }

    @Override
    public boolean replace(Roster from, Roster to) {
        return inner.replace(from, to);
    }

    @Override
    public Fabric open(Roster roster) {
        return inner.open(roster);
    }

    @Override
    public boolean isGone(Roster.Member member) {
        return inner.isGone(member);
    }

    @Override
    public boolean isMissing(Roster.Member member) {
        return inner.isMissing(member);
    }

    @Override
    public boolean fence(Roster.Member member, long epoch) {
        return inner.fence(member, epoch);
    }

    @Override
    public List<Roster.Member> strangers() {
        return inner.strangers();
    }

    @Override
    public void close() {
        inner.close();
    }
}
