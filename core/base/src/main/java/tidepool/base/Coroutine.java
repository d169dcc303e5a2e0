package tidepool.base;

/**
 * Straight-line code that can stop in the middle and continue later. It runs only inside {@link #resume}, so the caller
 * of resume decides the order of all steps. {@link Strand} adds waiting and waking.
 *
 * <p>There are two kinds. They behave alike, so that a program gives the same trace under both. Decision 0001 has the
 * measurements. One difference remains: abandoning a thread unwinds its frames, and their {@code finally} blocks run;
 * an abandoned continuation is dropped without that. Code on a strand therefore must not change shared state in a
 * {@code finally} block without asking {@link Strand#isAbandoned}.
 */
public abstract sealed class Coroutine permits ContinuationCoroutine, ThreadCoroutine {

    /** Where the stack of a coroutine is kept while it does not run. */
    public enum Kind {
        /**
         * The stack is copied to the heap. Needs {@code --add-opens java.base/jdk.internal.vm=…}, see decision 0001.
         */
        CONTINUATION,
        /** The stack stays in a thread of its own, and a baton is passed. Slow, but needs no flag of the JVM. */
        THREAD;

        /**
         * Returns the kind that {@code -Dtidepool.strands=continuation|thread} names; otherwise continuations if they
         * can be reached. On a virtual thread it is THREAD: a continuation inside the continuation of a virtual thread
         * works in experiments, but the JDK does not promise it.
         */
        public static Kind preferred() {
            return switch (System.getProperty("tidepool.strands", "")) {
                case "continuation" -> CONTINUATION;
                case "thread" -> THREAD;
                case "" ->
                    ContinuationCoroutine.isReachable()
                                    && !Thread.currentThread().isVirtual()
                            ? CONTINUATION
                            : THREAD;
                default ->
                    throw new IllegalArgumentException("tidepool.strands must be continuation or thread: is="
                            + System.getProperty("tidepool.strands"));
            };
        }
    }

    private final String name;
    private final Runnable body;
    private Throwable failure;
    private boolean done;

    Coroutine(String name, Runnable body) {
        this.name = name;
        this.body = body;
    }

    /** Returns a coroutine that has not started. The first {@link #resume} runs the body from its beginning. */
    public static Coroutine of(String name, Runnable body, Kind kind) {
        return switch (kind) {
            case CONTINUATION -> new ContinuationCoroutine(name, body);
            case THREAD -> new ThreadCoroutine(name, body);
        };
    }

    /** Runs the body until it suspends (false) or ends (true). {@link #failure} keeps an exception of the body. */
    public abstract boolean resume();

    /** Called inside the body. {@link #resume} returns, and this call returns at the next resume. */
    public abstract void suspend();

    /**
     * Ends the coroutine as a crash does: the body never continues. From inside the body this call does not return. A
     * thread is ended by an {@link Error} thrown through it, and this call waits until that has happened.
     */
    public abstract void abandon();

    /** Returns the exception of the body, or null. Defined once {@link #resume} has returned true. */
    public final Throwable failure() {
        return failure;
    }

    public final String name() {
        return name;
    }

    public final boolean isDone() {
        return done;
    }

    final void end() {
        done = true;
    }

    final void runBody() {
        try {
            body.run();
        } catch (Abandoned crash) {
            // Only abandon() throws it. A crash is not a failure of the body.
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            done = true;
        }
    }

    /** Thrown through the frames of an abandoned thread. An Error, so that protocol code does not catch it. */
    @SuppressWarnings("serial")
    static final class Abandoned extends Error {
        static final Abandoned CRASH = new Abandoned();

        private Abandoned() {
            super("the strand was abandoned", null, false, false);
        }
    }
}
