package tidepool.cli;

import tidepool.cluster.RememberedLives;
import tidepool.cluster.ZkUrl;
import tidepool.store.Roster;
import tidepool.tcp.journal.Durability;

/**
 * Whether the folder of a member is the newest that there was of it, as far as ZooKeeper can tell. Each start of a node begins a
 * life of its journal, which is remembered before anybody is served in it; and no epoch is steady before every member has it on
 * disk. So a journal that is behind either is an older copy. What was copied in this life and in this epoch looks like the newest.
 */
final class FolderAge {
    private FolderAge() {}

    /**
     * Says what is wrong with it; null if nothing is known against it.
     *
     * @param durability what the node promises: epochs that were not forced may be lost with the power
     */
    static String fault(ZkUrl url, Roster roster, String identity, JournalGlance found, Durability durability) {
        if (found == null || !found.holds(url.pool()))
            return identity + " is a member of the pool " + url.pool() + ", and its folder does not hold it any more";
        RememberedLives.Remembered remembered = RememberedLives.read(url, identity);
        if (found.life() < remembered.life())
            return "the folder is older than what " + identity + " has served: its journal was started "
                    + times(found.life()) + " and the node has started " + times(remembered.life());
        if (durability == Durability.STRICT && roster.steady() && found.epoch(url.pool()) < roster.epoch())
            return "the folder is older than what " + identity + " has served: it knows epoch "
                    + found.epoch(url.pool()) + ", and the node was in the pool in epoch " + roster.epoch();
        return null;
    }

    /**
     * Whether the journal is of the life that ZooKeeper remembers, and ends before a block that was acknowledged in it. Then
     * the node is filled from the others.
     */
    static boolean isShort(ZkUrl url, String identity, JournalGlance found) {
        RememberedLives.Remembered remembered = RememberedLives.read(url, identity);
        return found.life() == remembered.life() && found.block() < remembered.block();
    }

    private static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }
}
