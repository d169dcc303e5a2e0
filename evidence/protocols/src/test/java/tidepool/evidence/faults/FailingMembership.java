package tidepool.evidence.faults;

import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.store.Membership;
import tidepool.store.Roster;

/** A membership that fails once: at one of its steps, counted from 1, before it was done or after. */
final class FailingMembership extends FilterMembership {
    enum When {
        BEFORE,
        AFTER
    }

    private final int failing;
    private final When when;
    private int step;

    FailingMembership(Membership inner, int failing, When when) {
        super(inner);
        this.failing = failing;
        this.when = when;
    }

    private void step(When now) {
        if (now == When.BEFORE) step++;
        if (step == failing && now == when) throw FabricException.unavailable("planted at step " + step);
    }

    @Override
    public Roster read() {
        step(When.BEFORE);
        Roster read = inner.read();
        step(When.AFTER);
        return read;
    }

    @Override
    public boolean replace(Roster from, Roster to) {
        step(When.BEFORE);
        boolean replaced = inner.replace(from, to);
        step(When.AFTER);
        return replaced;
    }

    @Override
    public Fabric open(Roster roster) {
        step(When.BEFORE);
        Fabric fabric = inner.open(roster);
        if (step == failing && when == When.AFTER) fabric.close();
        step(When.AFTER);
        return fabric;
    }
}
