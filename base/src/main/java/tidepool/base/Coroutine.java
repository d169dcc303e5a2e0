package tidepool.base;

/**
 * Straight-line code that can stop in the middle and go on later. It runs only inside {@link #resume}, so whoever
 * resumes decides the order of everything; {@link Strand} adds waiting and waking on top of it.
 *
 * <p>There are two kinds and they behave alike, so that a program gives the same trace under both. Decision 0001 has
 * the measurements. One difference remains: abandoning a thread unwinds its frames, and their {@code finally} blocks
 * run; an abandoned continuation simply vanishes. Code on a strand therefore must not change the world in a
 * {@code finally} block without asking {@link Strand#isAbandoned}.
 */
public abstract sealed class Coroutine permits ContinuationCoroutine, ThreadCoroutine {

    /** How the stack of a coroutine is kept while it does not run. */
    public enum Kind {
        /** The stack is copied aside; needs {@code --add-opens java.base/jdk.internal.vm=…}, see decision 0001. */
        CONTINUATION,
        /** The stack stays in a thread of its own, and a baton is passed; slow, but needs no flag of the JVM. */
        THREAD;

        /**
         * What {@code -Dtidepool.strands=continuation|thread} asks for; otherwise continuations where they can be
         * reached. On a virtual thread it is THREAD: a continuation inside the continuation of a virtual thread
         * works when one tries it, but the JDK does not promise it.
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

    /** A coroutine of the {@linkplain Kind#preferred preferred} kind. */
    public static Coroutine of(String name, Runnable body) {
        return of(name, body, Kind.preferred());
    }

    /** A coroutine that has not started; the first {@link #resume} runs the body from its beginning. */
    public static Coroutine of(String name, Runnable body, Kind kind) {
        return switch (kind) {
            case CONTINUATION -> new ContinuationCoroutine(name, body);
            case THREAD -> new ThreadCoroutine(name, body);
        };
    }

    /** Runs the body until it suspends (false) or ends (true). What the body threw is kept in {@link #failure}. */
    public abstract boolean resume();

    /** Called inside the body: {@link #resume} returns, and this call returns at the next one. */
    public abstract void suspend();

    /**
     * The body never runs on: it has crashed. From inside the body this call does not return. A thread is ended by
     * throwing an {@link Error} through it, and this call waits until that has happened.
     */
    public abstract void abandon();

    /** What the body threw, or null; defined once {@link #resume} has returned true. */
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
            // Only abandon() throws it, and a crash is nobody's failure.
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            done = true;
        }
    }

    /** Travels through the frames of an abandoned thread. An Error, so that protocol code does not catch it. */
    @SuppressWarnings("serial")
    static final class Abandoned extends Error {
        static final Abandoned CRASH = new Abandoned();

        private Abandoned() {
            super("the strand was abandoned", null, false, false);
        }
    }
}
