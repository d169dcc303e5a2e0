package tidepool.history;

import static tidepool.history.Level.SERIALIZABILITY;
import static tidepool.history.Level.SNAPSHOT_ISOLATION;
import static tidepool.history.Level.STRICT_SERIALIZABILITY;

import java.util.EnumSet;
import java.util.Set;

/** The kinds of anomaly, under Adya's and Elle's names, and the levels that each of them rules out. */
public enum AnomalyKind {
    GARBAGE_READ("garbage read", "a version was seen that nobody wrote", SNAPSHOT_ISOLATION),
    DUPLICATE_ELEMENTS("duplicate elements", "one append took effect twice", SNAPSHOT_ISOLATION),
    INCOMPATIBLE_ORDER(
            "incompatible order", "two reads of a key do not agree on the order of its versions", SNAPSHOT_ISOLATION),
    INTERNAL("internal", "a transaction contradicts its own earlier reads and writes", SNAPSHOT_ISOLATION),
    G1A("G1a", "aborted read: a version of a failed transaction was seen", SNAPSHOT_ISOLATION),
    G1B("G1b", "intermediate read: a version was seen that its own transaction had replaced", SNAPSHOT_ISOLATION),
    DIRTY_UPDATE("dirty update", "a committed version was built on one of a failed transaction", SNAPSHOT_ISOLATION),
    LOST_UPDATE("lost update", "two transactions replaced the same version", SNAPSHOT_ISOLATION),
    MISSED_KEY("missed key", "a row was not found, or made again, although it was there", SNAPSHOT_ISOLATION),
    LOST_WRITE("lost write", "an acknowledged write is missing from a later read", STRICT_SERIALIZABILITY),
    HALF_APPLIED("half applied", "a transaction of unknown outcome took effect in part", STRICT_SERIALIZABILITY),
    G0("G0", "write cycle", SNAPSHOT_ISOLATION),
    G1C("G1c", "circular information flow", SNAPSHOT_ISOLATION),
    G_SINGLE("G-single", "read skew: a cycle with one anti-dependency", SNAPSHOT_ISOLATION),
    G_NONADJACENT("G-nonadjacent", "a cycle whose anti-dependencies are not neighbours", SNAPSHOT_ISOLATION),
    G2_ITEM("G2-item", "write skew: a cycle with neighbouring anti-dependencies", SERIALIZABILITY),
    G2("G2", "phantoms: write skew in which a transaction did not see a row of its range", SERIALIZABILITY),
    G0_PROCESS("G0-process", "write cycle with the order of a process", STRICT_SERIALIZABILITY),
    G1C_PROCESS("G1c-process", "circular information flow with the order of a process", STRICT_SERIALIZABILITY),
    G_SINGLE_PROCESS("G-single-process", "read skew with the order of a process", STRICT_SERIALIZABILITY),
    G_NONADJACENT_PROCESS(
            "G-nonadjacent-process", "separate anti-dependencies with the order of a process", STRICT_SERIALIZABILITY),
    G2_ITEM_PROCESS("G2-item-process", "write skew with the order of a process", STRICT_SERIALIZABILITY),
    G2_PROCESS("G2-process", "phantoms with the order of a process", STRICT_SERIALIZABILITY),
    G0_REALTIME("G0-realtime", "write cycle with real time", STRICT_SERIALIZABILITY),
    G1C_REALTIME("G1c-realtime", "circular information flow with real time", STRICT_SERIALIZABILITY),
    G_SINGLE_REALTIME("G-single-realtime", "read skew with real time: a stale read", STRICT_SERIALIZABILITY),
    G_NONADJACENT_REALTIME(
            "G-nonadjacent-realtime", "separate anti-dependencies with real time", STRICT_SERIALIZABILITY),
    G2_ITEM_REALTIME("G2-item-realtime", "write skew with real time", STRICT_SERIALIZABILITY),
    G2_REALTIME("G2-realtime", "phantoms with real time", STRICT_SERIALIZABILITY);

    private final String title;
    private final String meaning;
    private final Level weakest;

    /** An anomaly that rules out a level rules out the stronger ones too, so the weakest level determines the set. */
    AnomalyKind(String title, String meaning, Level weakest) {
        this.title = title;
        this.meaning = meaning;
        this.weakest = weakest;
    }

    /** Returns the name that the literature uses. */
    public String title() {
        return title;
    }

    /** Returns the meaning in a few words. */
    public String meaning() {
        return meaning;
    }

    /**
     * Returns the levels that an anomaly of this kind rules out at least; a single one may prove more, see
     * {@link Anomaly}.
     */
    public Set<Level> violated() {
        return EnumSet.range(STRICT_SERIALIZABILITY, weakest);
    }
}
