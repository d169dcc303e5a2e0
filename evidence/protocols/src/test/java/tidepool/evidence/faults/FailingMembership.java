package tidepool.evidence.faults;

import java.util.List;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.store.Membership;
import tidepool.store.Roster;

/** A membership that fails once: at one of its steps, counted from 1, before it was done or after. */
final class FailingMembership implements Membership {
    enum When {
        BEFORE,
        AFTER
    }

    private final Membership membership;
    private final int failing;
    private final When when;
    private int step;

    FailingMembership(Membership membership, int failing, When when) {
        this.membership = membership;
        this.failing = failing;
        this.when = when;
    }

    private void step(When now) {
        if (now == When.BEFORE) step++;
        if (step == failing && now == when) throw FabricException.unavailable("planted at step " + step);
    }

    @Override
    public Roster latest() {
        return membership.latest();
    }

    @Override
    public Roster read() {
        step(When.BEFORE);
        Roster read = membership.read();
        step(When.AFTER);
        return read;
    }

    @Override
    public boolean replace(Roster from, Roster to) {
        step(When.BEFORE);
        boolean replaced = membership.replace(from, to);
        step(When.AFTER);
        return replaced;
    }

    @Override
    public Fabric open(Roster roster) {
        step(When.BEFORE);
        Fabric fabric = membership.open(roster);
        if (step == failing && when == When.AFTER) fabric.close();
        step(When.AFTER);
        return fabric;
    }

    @Override
    public boolean isGone(Roster.Member member) {
        return membership.isGone(member);
    }

    @Override
    public boolean isMissing(Roster.Member member) {
        return membership.isMissing(member);
    }

    @Override
    public List<Roster.Member> strangers() {
        return membership.strangers();
    }

    @Override
    public void close() {
        membership.close();
    }
}
