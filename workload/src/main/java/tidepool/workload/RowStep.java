package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.check.history.MicroOp;

/**
 * One step of a transaction on {@link Rows}.
 *
 * @param now whether what was declared so far is carried out before the next step
 */
record RowStep(Kind kind, long key, boolean now) {
    private static final int MOST_STEPS = 4;

    /** What a step does with its row. */
    enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    /** A transaction: one step or several, all at once or one by one, some that look first and change then. */
    static List<RowStep> draw(Randomness random, int keys) {
        List<RowStep> steps = new ArrayList<>();
        int count = random.chance(1, 4) ? 1 : 2 + random.nextInt(MOST_STEPS - 1);
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

    private static Kind kind(Randomness random) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> Kind.READ;
            case 4, 5 -> Kind.UPDATE;
            case 6 -> Kind.INSERT;
            case 7 -> Kind.PUT;
            default -> Kind.DELETE;
        };
    }

    /** What can be told of steps that were not carried out: the versions that they would have made. */
    static List<MicroOp> intentions(List<RowStep> steps, long version) {
        List<MicroOp> intended = new ArrayList<>();
        for (RowStep step : steps) if (step.kind != Kind.READ) intended.add(MicroOp.write(step.key, version));
        return intended;
    }
}
