package tidepool.contracts.broken;

import java.util.List;
import java.util.function.UnaryOperator;
import tidepool.fabric.Fabric;

/**
 * A way to break a fabric.
 *
 * @param name the row in docs/evidence/broken-fabrics.md
 * @param what the fault of the fabric, in a sentence
 * @param base the fabric that is broken
 * @param breaking puts the defect around a whole fabric
 * @param caughtBy the tests of the contract that are expected to notice; one is enough
 */
record Defect(String name, String what, Base base, UnaryOperator<Fabric> breaking, List<String> caughtBy) {
    /** The fabric that a defect is put around. */
    enum Base {
        /** Verbs of real threads on real memory. */
        MEM,
        /** Verbs that take time, reorder and tear, and power that fails. */
        SIM
    }

    static Defect onMem(String name, String what, UnaryOperator<Fabric> breaking, String... caughtBy) {
        return new Defect(name, what, Base.MEM, breaking, List.of(caughtBy));
    }

    static Defect onSim(String name, String what, UnaryOperator<Fabric> breaking, String... caughtBy) {
        return new Defect(name, what, Base.SIM, breaking, List.of(caughtBy));
    }
}
