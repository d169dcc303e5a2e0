package tidepool;

import tidepool.protocol.Change;
import tidepool.store.Roster;

/** Is told what a steward does about the memory nodes of a pool. */
public interface StewardListener {
    /** A change was asked for, and is carried out now. */
    default void changing(Roster roster) {}

    /** A change was carried out: others work again. */
    default void changed(Roster roster, Change.Report report) {}

    /** How far a new copy of a partition is filled. May wait, so that transactions are not held up. */
    default void filling(Roster roster, int partition, long bytes, long ofBytes) {}

    /** All copies of a partition have everything. */
    default void filled(Roster roster, int partition, long objectsCopied) {}

    /** A look at the nodes failed; it is tried again. */
    default void failed(RuntimeException e) {}
}
