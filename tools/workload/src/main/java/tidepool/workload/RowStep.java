package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.history.MicroOp;

/**
 * One step of a transaction on {@link RowsWorkload}.
 *
 * @param now whether all steps declared so far are carried out before the next step
 */
record RowStep(Kind kind, long key, boolean now) {
    private static final int MAX_STEPS = 4;
    private static final int MAX_REPEATING_STEPS = 8;

    /** The operation of a step on its row. */
    enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    /**
     * Draws a transaction of one or several steps, carried out together or one by one. Some steps read a row that a
     * later step changes.
     */
    static List<RowStep> draw(Randomness random, int keys) {
        List<RowStep> steps = new ArrayList<>();
        int count = random.chance(1, 4) ? 1 : 2 + random.nextInt(MAX_STEPS - 1);
        boolean interactive = random.chance(1, 3);
        boolean readOnly = random.chance(1, 6);
        for (int i = 0; i < count; i++) {
            long key = random.nextInt(keys);
            if (steps.stream().anyMatch(step -> step.key == key)) continue;
            steps.add(new RowStep(readOnly ? Kind.READ : kind(random), key, interactive));
        }
        RowStep first = steps.getFirst();
        if (first.kind == Kind.READ && interactive && !readOnly)
            steps.add(new RowStep(random.pick(List.of(Kind.UPDATE, Kind.PUT, Kind.DELETE)), first.key, true));
        return steps;
    }

    /**
     * Draws a transaction in which keys come again: put, delete, insert and read of one key, in any order. Each step
     * sees what the steps before it have done.
     */
    static List<RowStep> drawRepeating(Randomness random, int keys) {
        List<RowStep> steps = new ArrayList<>();
        int count = 1 + random.nextInt(MAX_REPEATING_STEPS);
        boolean readOnly = random.chance(1, 6);
        for (int i = 0; i < count; i++) {
            boolean again = i > 0 && random.nextBoolean();
            long key = again ? random.pick(steps).key : random.nextInt(keys);
            steps.add(new RowStep(readOnly ? Kind.READ : kind(random), key, true));
        }
        return steps;
    }

    private static Kind kind(Randomness random) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> Kind.READ;
            case 4, 5 -> Kind.UPDATE;
            case 6 -> Kind.INSERT;
            case 7 -> Kind.PUT;
            default -> Kind.DELETE;
        };
    }

    /** Returns the versions that steps would have written which were not carried out. */
    static List<MicroOp> intentions(List<RowStep> steps, long version) {
        List<MicroOp> intended = new ArrayList<>();
        for (RowStep step : steps) if (step.kind != Kind.READ) intended.add(MicroOp.write(step.key, version));
        return intended;
    }
}
