package tidepool;

import java.util.function.Predicate;
import tidepool.protocol.Recovery;
import tidepool.store.Catalog;
import tidepool.store.TableChange;

/**
 * The changes of tables that this process makes. Each is made by a session of its own, which shuts out and recovers all
 * other sessions, that of this process too. {@code docs/decisions/0034-schema-changes.md} has the crash table. Tests
 * that plant bugs override a step.
 */
class TableChanges {
    private final SessionManager sessions;
    private final FencedWork alone;

    TableChanges(SessionManager sessions) {
        this.sessions = sessions;
        this.alone = new FencedWork(sessions);
    }

    /**
     * Makes a change, and waits for that. If the fabric fails, tries again with another session: the change may have
     * happened, and is then not made again.
     *
     * @param prepare prepares the change; returns false if there is nothing to change
     */
    void make(String what, Predicate<TableChange> prepare) {
        alone.run(what, "tables were changed", visit -> {
            boolean changed = change(visit, what, prepare);
            if (changed) clean(visit.catalog());
            return changed;
        });
    }

    private boolean change(SessionManager.Visit visit, String what, Predicate<TableChange> prepare) {
        // Made before the catalog is locked: some recoverers look up what they lock the catalog for.
        Recovery recovery = sessions.recovery(visit);
        try (TableChange change = visit.catalog().change()) {
            if (!prepare.test(change)) return false;
            change.announce();
            shutOut(visit, recovery, what);
            change.apply();
            return true;
        }
    }

    /** Cleans the memory of dropped and emptied tables. */
    void clean(Catalog catalog) {
        catalog.clean();
    }

    /** Revokes and recovers all other sessions. */
    void shutOut(SessionManager.Visit visit, Recovery recovery, String what) {
        alone.shutOut(visit, recovery, what);
    }
}
