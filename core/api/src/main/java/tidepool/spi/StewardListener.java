package tidepool.spi;

import tidepool.protocol.Reconfiguration;
import tidepool.store.Roster;

/** Listener for what a steward does about the memory nodes of a pool. */
@SuppressWarnings("exports") // its callers require the modules below
public interface StewardListener {
    /** Called when a change was asked for, and is about to be carried out. */
    default void changing(Roster roster) {}

    /** Called when a change was carried out: sessions work again. */
    default void changed(Roster roster, Reconfiguration.Report report) {}

    /**
     * Called with the progress of filling a new copy of a partition. May wait, so that transactions are not held up.
     */
    default void filling(Roster roster, int partition, long bytes, long ofBytes) {}

    /** Called when all copies of a partition are whole. */
    default void filled(Roster roster, int partition, long objectsCopied) {}

    /** Called when a check of the nodes failed; the steward retries. */
    default void failed(RuntimeException e) {}
}
