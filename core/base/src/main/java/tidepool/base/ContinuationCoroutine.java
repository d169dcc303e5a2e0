package tidepool.base;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A coroutine on {@code jdk.internal.vm.Continuation}, the class under virtual threads. The package is internal, so it
 * is reached by method handles. They are constants, and the compiler inlines them like ordinary calls.
 *
 * <p>All frames between {@link #resume} and {@link #suspend} must be Java frames. A class initializer or a call from
 * native code in between cannot be copied to the heap; suspending there is a bug that is reported as such.
 *
 * <p>A monitor or lock that is held while suspended is <em>not</em> noticed, since JDK 24 lets monitors move with the
 * continuation. A second strand that wants the monitor then blocks the carrier thread for ever. A second strand that
 * wants a {@code ReentrantLock} gets it although it is held, because both strands are the same thread to the lock.
 *
 * <p>If the package is not only exported to this module but open, a started coroutine continues and stops by the two
 * methods under {@code run} and {@code yield}. The code around these methods takes a quarter of a switch. It serves
 * nested continuations and scoped values, and keeps two threads from running one continuation at once. Decision 0001
 * says what Tidepool must guarantee instead.
 */
final class ContinuationCoroutine extends Coroutine {
    private static final String CLASS = "jdk.internal.vm.Continuation";
    private static final Throwable UNREACHABLE;
    private static final MethodHandle CREATE; // (Runnable)Object
    private static final MethodHandle RUN; // (Object)void
    private static final MethodHandle YIELD; // ()boolean
    private static final MethodHandle GO_ON; // (Object)void: run, of a stopped continuation; null if out of reach
    private static final MethodHandle STOP; // ()int: yield, 0 if it stopped; null if out of reach

    static {
        MethodHandle create = null;
        MethodHandle run = null;
        MethodHandle suspend = null;
        MethodHandle goOn = null;
        MethodHandle stop = null;
        Throwable unreachable = null;
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> continuation = Class.forName(CLASS);
            Class<?> scope = Class.forName(CLASS + "Scope");
            Object strands = lookup.findConstructor(scope, MethodType.methodType(void.class, String.class))
                    .invoke("tidepool-strand");
            create = lookup.findConstructor(continuation, MethodType.methodType(void.class, scope, Runnable.class))
                    .bindTo(strands)
                    .asType(MethodType.methodType(Object.class, Runnable.class));
            run = lookup.findVirtual(continuation, "run", MethodType.methodType(void.class))
                    .asType(MethodType.methodType(void.class, Object.class));
            suspend = lookup.findStatic(continuation, "yield", MethodType.methodType(boolean.class, scope))
                    .bindTo(strands);
            if (isKnown() && isOpen(continuation)) {
                MethodHandles.Lookup inside = MethodHandles.privateLookupIn(continuation, lookup);
                stop = stopping(inside, continuation);
                goOn = goingOn(inside, continuation);
            }
        } catch (Throwable missing) {
            unreachable = missing;
        }
        CREATE = create;
        RUN = run;
        YIELD = suspend;
        GO_ON = goOn;
        STOP = stop;
        UNREACHABLE = unreachable;
    }

    private Object continuation;
    private boolean running;
    private boolean started;
    private boolean direct; // the current run is by GO_ON and stops by STOP

    ContinuationCoroutine(String name, Runnable body) {
        super(name, body);
        if (UNREACHABLE != null)
            throw new UnsupportedOperationException(
                    "strands cannot use continuations; start the"
                            + " JVM with --add-opens java.base/jdk.internal.vm=" + ourModule()
                            + " or choose -Dtidepool.strands=thread",
                    UNREACHABLE);
        try {
            continuation = (Object) CREATE.invokeExact((Runnable) this::runBody);
        } catch (Throwable unexpected) {
            throw unexpected(unexpected);
        }
    }

    static boolean isReachable() {
        return UNREACHABLE == null;
    }

    /** Returns true if a switch is two calls into the JVM and nothing around them. */
    static boolean isDirect() {
        return GO_ON != null && STOP != null;
    }

    /**
     * Returns true on the one JDK whose internal methods are known. They may differ elsewhere, and a mistake there ends
     * the JVM.
     */
    private static boolean isKnown() {
        return Runtime.version().feature() == 25;
    }

    private static boolean isOpen(Class<?> internal) {
        return internal.getModule().isOpen(internal.getPackageName(), ContinuationCoroutine.class.getModule());
    }

    private static MethodHandle goingOn(MethodHandles.Lookup inside, Class<?> continuation)
            throws IllegalAccessException {
        try {
            MethodType type = MethodType.methodType(void.class, continuation, boolean.class, boolean.class);
            MethodHandle enter = inside.findStatic(continuation, "enterSpecial", type);
            return MethodHandles.insertArguments(enter, 1, true, false) // has started; is no virtual thread
                    .asType(MethodType.methodType(void.class, Object.class));
        } catch (NoSuchMethodException otherJvm) {
            return null;
        }
    }

    private static MethodHandle stopping(MethodHandles.Lookup inside, Class<?> continuation)
            throws IllegalAccessException {
        try {
            return inside.findStatic(continuation, "doYield", MethodType.methodType(int.class));
        } catch (NoSuchMethodException otherJvm) {
            return null;
        }
    }

    @Override
    public boolean resume() {
        if (isDone()) return true;
        Checks.invariant(!running, "a coroutine is resumed by one caller at a time");
        running = true;
        // A virtual thread is a continuation itself, and the JDK has to know which of the two stops.
        direct = isDirect() && started && !Thread.currentThread().isVirtual();
        try {
            if (direct) GO_ON.invokeExact(continuation);
            else start();
        } catch (Throwable unexpected) {
            throw unexpected(unexpected);
        } finally {
            running = false;
        }
        if (!isDone()) return false;
        continuation = null; // frees the stack too
        return true;
    }

    private void start() throws Throwable {
        started = true;
        RUN.invokeExact(continuation);
    }

    @Override
    public void suspend() {
        Checks.invariant(running, "only the coroutine itself can suspend itself");
        boolean suspended;
        try {
            suspended = direct ? stop(2) : (boolean) YIELD.invokeExact();
        } catch (IllegalStateException pinned) {
            throw pinned(pinned);
        } catch (Throwable unexpected) {
            throw unexpected(unexpected);
        }
        if (!suspended) throw pinned(null);
    }

    /**
     * Stops in a frame of its own. The compiler inlines a recursive method into itself once, but not twice. If a frame
     * further down is not compiled, the JVM restores two frames at a time. If the second of them is not compiled, this
     * takes twice as long.
     */
    private static boolean stop(int frames) throws Throwable {
        return frames > 0 ? stop(frames - 1) : (int) STOP.invokeExact() == 0;
    }

    @Override
    public void abandon() {
        end();
        if (running) suspend();
    }

    private static InvariantException pinned(Throwable cause) {
        InvariantException broken = new InvariantException(
                "a strand may not wait inside a class initializer, a native frame or a critical section of the JVM");
        if (cause != null) broken.initCause(cause);
        return broken;
    }

    private static RuntimeException unexpected(Throwable thrown) {
        if (thrown instanceof RuntimeException unchecked) return unchecked;
        if (thrown instanceof Error error) throw error;
        return new IllegalStateException(CLASS + " threw", thrown);
    }

    private static String ourModule() {
        Module module = ContinuationCoroutine.class.getModule();
        return module.isNamed() ? module.getName() : "ALL-UNNAMED";
    }
}
