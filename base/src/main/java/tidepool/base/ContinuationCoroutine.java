package tidepool.base;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A coroutine on {@code jdk.internal.vm.Continuation}, the class under virtual threads. The package is internal, so
 * it is reached by method handles; they are constants, and the compiler inlines them like ordinary calls.
 *
 * <p>All frames between {@link #resume} and {@link #suspend} must be Java frames: a class initializer or a call from
 * native code in between cannot be copied aside, and suspending there is a bug that is reported as such.
 *
 * <p>A monitor or lock that is held while suspended is <em>not</em> noticed, since JDK 24 lets monitors travel with
 * the continuation. A second strand that wants the monitor then blocks the carrier thread for ever, and one that
 * wants a {@code ReentrantLock} gets it although it is taken, because both strands are the same thread to it.
 */
final class ContinuationCoroutine extends Coroutine {
    private static final String CLASS = "jdk.internal.vm.Continuation";
    private static final Throwable UNREACHABLE;
    private static final MethodHandle CREATE; // (Runnable)Object
    private static final MethodHandle RUN; // (Object)void
    private static final MethodHandle YIELD; // ()boolean

    static {
        MethodHandle create = null;
        MethodHandle run = null;
        MethodHandle suspend = null;
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
        } catch (Throwable missing) {
            unreachable = missing;
        }
        CREATE = create;
        RUN = run;
        YIELD = suspend;
        UNREACHABLE = unreachable;
    }

    private final Object continuation;
    private boolean running;

    ContinuationCoroutine(String name, Runnable body) {
        super(name, body);
        if (UNREACHABLE != null)
            throw new UnsupportedOperationException(
                    "strands cannot use continuations; start the"
                            + " JVM with --add-exports java.base/jdk.internal.vm=" + ourModule()
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

    @Override
    public boolean resume() {
        if (isDone()) return true;
        Checks.invariant(!running, "a coroutine is resumed by one caller at a time");
        running = true;
        try {
            RUN.invokeExact(continuation);
        } catch (Throwable unexpected) {
            throw unexpected(unexpected);
        } finally {
            running = false;
        }
        return isDone();
    }

    @Override
    public void suspend() {
        Checks.invariant(running, "only the coroutine itself can suspend itself");
        boolean suspended;
        try {
            suspended = (boolean) YIELD.invokeExact();
        } catch (IllegalStateException pinned) {
            throw pinned(pinned);
        } catch (Throwable unexpected) {
            throw unexpected(unexpected);
        }
        if (!suspended) throw pinned(null);
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
