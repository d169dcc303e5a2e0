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
import tidepool.workload.Facts;

/**
 * Kills this process, by SIGKILL, when its client threads stand at verbs that its parent has chosen, each thread at one of
 * its own. A thread that has come there sends nothing more. The signal comes when the last one is there, or after a
 * moment: one may wait for the locks of another. Counts the steps that all threads pass.
 */
final class AimedDeath implements FaultSites {
    private static final int SIGKILL = 9;

    /** From the first thread at its place to the signal, at most. */
    private static final long GRACE_MILLIS = 3000;

    /** Of each client thread, once it has a place to go to. */
    private static final ThreadLocal<Course> COURSES = new ThreadLocal<>();

    private final AtomicLongArray passed = new AtomicLongArray(Step.values().length);

    /** Of the C library. Java kills other processes only, and ends its own one in good order. */
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
     * Where a thread is to stop.
     *
     * @param times how often it comes to a round of that step until then; 1 for the next one
     * @param draw a random number that chooses among the verbs, of which there may be more or fewer each time
     * @param awaits whether the verbs before that are carried out; otherwise they may be on their way
     */
    record Aim(Step step, int times, int draw, boolean awaits) {
        private static final int WORDS = 4;

        String text() {
            return step + " " + times + " " + draw + " " + awaits;
        }

        /** One or more. */
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

        /** Mostly between two verbs: there a transaction is neither done nor untouched. Otherwise also before all, or after. */
        int verbs(int count) {
            int rest = draw / 4;
            return draw % 4 > 0 && count > 1 ? 1 + rest % (count - 1) : rest % (count + 1);
        }
    }

    /** The aims of all threads, of which each takes one. */
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

    /** What a thread has in front of it. */
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
     * @param say tells the parent
     * @param process the number in the history of the calling thread; negative if it is no client
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

    /** How often rounds of each step were posted so far. */
    Facts passed() {
        Facts facts = new Facts();
        for (Step step : Step.values()) {
            long times = passed.get(step.ordinal());
            if (times > 0) facts.add(step.toString(), times);
        }
        return facts;
    }
}
