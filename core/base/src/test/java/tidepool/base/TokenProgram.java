package tidepool.base;

import java.util.ArrayList;
import java.util.List;

/** Fifty strands that pass tokens, sleep, spawn, time out, give way, fail and crash each other, all from one seed. */
final class TokenProgram {
    private static final int STRANDS = 50;
    private static final int STEPS = 40;
    private static final int MAX_STRANDS = 120;

    private final SeededScheduler scheduler;
    private final Randomness randomness;
    private final StringBuilder trace = new StringBuilder();
    private final List<Strand> strands = new ArrayList<>();
    private final int[] tokens = new int[MAX_STRANDS];

    private TokenProgram(long seed, Coroutine.Kind kind) {
        scheduler = new SeededScheduler(seed, kind);
        randomness = new Randomness(seed).fork("program");
    }

    static String trace(long seed, Coroutine.Kind kind) {
        TokenProgram program = new TokenProgram(seed, kind);
        for (int i = 0; i < STRANDS; i++) program.spawn();
        program.scheduler.run();
        for (Strand strand : program.strands) {
            program.trace.append(strand).append(strand.isDone() ? " done\n" : " still waits\n");
            strand.abandon();
        }
        program.scheduler.failures().forEach(line -> program.trace.append(line).append('\n'));
        return program.trace.toString();
    }

    private void spawn() {
        if (strands.size() < MAX_STRANDS) strands.add(scheduler.start("worker", this::work));
    }

    private void work() {
        for (int step = 0; step < STEPS; step++) act(Strand.current());
    }

    private void act(Strand self) {
        switch (randomness.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> {
                scheduler.sleep(randomness.nextLong(1_000));
                note(self, "slept");
            }
            case 5, 6, 7, 8, 9 -> {
                Strand other = randomness.pick(strands);
                tokens[other.id()]++;
                other.unpark();
                note(self, "sent a token to " + other.id());
            }
            case 10, 11, 12 -> {
                note(self, scheduler.parkFor(randomness.nextLong(2_000)) ? "was woken" : "timed out");
            }
            case 13, 14 -> {
                Strand.giveWay();
                note(self, "gave way");
            }
            case 15 -> {
                spawn();
                note(self, "spawned");
            }
            case 16 -> {
                if (randomness.chance(1, 20)) throw new IllegalStateException("step " + trace.length());
            }
            case 17 -> crash(self);
            default -> {
                while (tokens[self.id()] == 0) {
                    if (!scheduler.parkFor(5_000)) return;
                }
                note(self, "took a token, left " + --tokens[self.id()]);
            }
        }
    }

    private void crash(Strand self) {
        if (!randomness.chance(1, 20)) return;
        Strand victim = randomness.pick(strands);
        note(self, "crashed " + victim.id());
        victim.abandon();
    }

    private void note(Strand self, String what) {
        trace.append(scheduler.clock().nowNanos())
                .append(' ')
                .append(self)
                .append(' ')
                .append(what)
                .append('\n');
    }
}
