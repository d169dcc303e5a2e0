package tidepool.workload.recorded;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import tidepool.fabric.FaultSites;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.workload.EventCounts;

/**
 * Kills this process by SIGKILL when its client threads have reached verbs that its parent has chosen, one for each
 * thread. A thread that has reached its verb sends nothing more. The signal is sent when the last thread has reached
 * its verb, or after {@link #GRACE_MILLIS}, because a thread may wait for the locks of another. Also counts the steps
 * that all threads pass.
 */
final class AimedDeath implements FaultSites {
    private static final int SIGKILL = 9;

    /** The longest time from the first thread at its verb to the signal. */
    private static final long GRACE_MILLIS = 3000;

    /** The course of each client thread, once it has an aim. */
    private static final ThreadLocal<Course> COURSES = new ThreadLocal<>();

    private final AtomicLongArray passed = new AtomicLongArray(Step.values().length);

    /** The function of the C library. Java can kill only other processes, and ends its own in an orderly way. */
    @SuppressWarnings("restricted")
    private final MethodHandle kill = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final int ownPid = (int) ProcessHandle.current().pid();
    private final Consumer<String> say;
    private final LongSupplier process;
    private volatile Plot plot;

    /**
     * The place at which a thread stops.
     *
     * @param times number of rounds of that step until then; 1 for the next one
     * @param draw a random number that chooses among the verbs, whose number differs from round to round
     * @param awaits whether the verbs before that place are carried out; otherwise they may be on their way
     */
    record Aim(Step step, int times, int draw, boolean awaits) {
        private static final int WORDS = 4;

        String text() {
            return step + " " + times + " " + draw + " " + awaits;
        }

        /** Parses one aim or more. */
        static List<Aim> parse(String text) {
            List<String> words = Arrays.asList(text.split(" ", -1));
            List<Aim> aims = new ArrayList<>();
            for (int i = 0; i < words.size(); i += WORDS)
                aims.add(new Aim(
                        Step.named(words.get(i)),
                        Integer.parseInt(words.get(i + 1)),
                        Integer.parseInt(words.get(i + 2)),
                        Boolean.parseBoolean(words.get(i + 3))));
            return aims;
        }

        /**
         * Returns the number of verbs that are sent. Mostly a number between two verbs, where a transaction is neither
         * done nor untouched. Otherwise also before the first verb, or after the last.
         */
        int verbs(int count) {
            int rest = draw / 4;
            return draw % 4 > 0 && count > 1 ? 1 + rest % (count - 1) : rest % (count + 1);
        }
    }

    /** The aims of all threads. Each thread takes one. */
    private static final class Plot {
        private final List<Aim> aims;
        private final CountDownLatch left;
        private int taken;

        Plot(List<Aim> aims) {
            this.aims = aims;
            this.left = new CountDownLatch(aims.size());
        }

        synchronized Aim take() {
            return taken < aims.size() ? aims.get(taken++) : null;
        }
    }

    /** The aim of one thread and the rounds until it. */
    private static final class Course {
        private final Plot plot;
        private final Aim aim;
        private int left;
        private String lastWords;

        Course(Plot plot, Aim aim) {
            this.plot = plot;
            this.aim = aim;
            this.left = aim == null ? 0 : aim.times();
        }
    }

    /**
     * @param say sends a line to the parent
     * @param process returns the calling thread's process number in the history; negative if it is no client
     */
    AimedDeath(Consumer<String> say, LongSupplier process) {
        this.say = say;
        this.process = process;
    }

    void at(List<Aim> aims) {
        plot = new Plot(aims);
    }

    @Override
    public int verbsBeforeDeath(Round round) {
        Step step = Step.of(round);
        passed.incrementAndGet(step.ordinal());
        Plot now = plot;
        if (now == null || process.getAsLong() < 0) return GO_ON;
        Course course = COURSES.get();
        if (course == null || course.plot != now) {
            course = new Course(now, now.take());
            COURSES.set(course);
        }
        if (course.aim == null || course.aim.step() != step || --course.left != 0) return GO_ON;
        int verbs = course.aim.verbs(round.count());
        course.lastWords =
                String.format(Locale.ROOT, "dying %s %d %d %d", step, verbs, round.count(), process.getAsLong());
        return verbs;
    }

    @Override
    public boolean awaitsVerbs() {
        return COURSES.get().aim.awaits();
    }

    @Override
    public void die() {
        Course course = COURSES.get();
        say.accept(course.lastWords);
        try {
            course.plot.left.countDown();
            course.plot.left.await(GRACE_MILLIS, TimeUnit.MILLISECONDS);
            int _ = (int) kill.invokeExact(ownPid, SIGKILL);
        } catch (Throwable e) {
            throw new IllegalStateException("no signal could be sent", e);
        }
        throw new IllegalStateException("SIGKILL came back");
    }

    /** Returns how often rounds of each step were posted so far. */
    EventCounts passed() {
        EventCounts eventCounts = new EventCounts();
        for (Step step : Step.values()) {
            long times = passed.get(step.ordinal());
            if (times > 0) eventCounts.add(step.toString(), times);
        }
        return eventCounts;
    }
}
