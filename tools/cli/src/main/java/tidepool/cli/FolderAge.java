package tidepool.cli;

import tidepool.node.journal.Durability;
import tidepool.store.Roster;
import tidepool.zookeeper.JournalHighWater;
import tidepool.zookeeper.ZkUrl;

/**
 * Checks whether the folder of a member is its newest, as far as ZooKeeper can tell. Each start of a node begins a new
 * life of its journal, and ZooKeeper remembers that life before the node serves any client in it. No epoch is steady
 * before every member has it on disk. So a journal with an older life or an older epoch is an older copy. A copy that
 * was made in this life and in this epoch cannot be told from the newest.
 */
final class FolderAge {
    private FolderAge() {}

    /**
     * Returns a sentence about the fault of the folder, or null if no fault is known.
     *
     * @param durability the promise of the node: epochs that were not forced may be lost with the power
     */
    static String fault(ZkUrl url, Roster roster, String identity, JournalSummary found, Durability durability) {
        if (found == null || !found.holds(url.pool()))
            return identity + " is a member of the pool " + url.pool() + ", and its folder does not hold it any more";
        JournalHighWater.Remembered remembered = JournalHighWater.read(url, identity);
        if (found.life() < remembered.life())
            return "the folder is older than what " + identity + " has served: its journal was started "
                    + times(found.life()) + " and the node has started " + times(remembered.life());
        if (durability == Durability.STRICT && roster.steady() && found.epoch(url.pool()) < roster.epoch())
            return "the folder is older than what " + identity + " has served: it knows epoch "
                    + found.epoch(url.pool()) + ", and the node was in the pool in epoch " + roster.epoch();
        return null;
    }

    /**
     * Returns whether the journal is of the life that ZooKeeper remembers and ends before a block that was acknowledged
     * in that life. Such a node is filled from the other copies.
     */
    static boolean isShort(ZkUrl url, String identity, JournalSummary found) {
        JournalHighWater.Remembered remembered = JournalHighWater.read(url, identity);
        return found.life() == remembered.life() && found.block() < remembered.block();
    }

    private static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }
}
