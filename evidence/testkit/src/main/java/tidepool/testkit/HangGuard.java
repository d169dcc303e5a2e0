package tidepool.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * The last limit of a test: ends the JVM in which one method has run for {@value #SECONDS} s. JUnit's own limit only
 * interrupts, which a thread that waits for a monitor does not notice, and Surefire's limit does not end such a JVM.
 */
public final class HangGuard implements InvocationInterceptor {
    static final int EXIT_CODE = 75;
    private static final int SECONDS = 960;

    @Override
    public void interceptBeforeAllMethod(
            Invocation<Void> work, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        guard(work, method.getExecutable());
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> work, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        guard(work, method.getExecutable());
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> work, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        guard(work, method.getExecutable());
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> work, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        guard(work, method.getExecutable());
    }

    @Override
    public void interceptDynamicTest(Invocation<Void> work, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
        guard(work, context.getDisplayName());
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> work, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        guard(work, method.getExecutable());
    }

    @Override
    public void interceptAfterAllMethod(
            Invocation<Void> work, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        guard(work, method.getExecutable());
    }

    private static void guard(Invocation<Void> work, Object method) throws Throwable {
        // An effort of night has no limits: the launcher disables those of JUnit, and this one with them.
        if ("disabled".equals(System.getProperty("junit.jupiter.execution.timeout.mode"))) work.proceed();
        else
            try (Watch _ = new Watch(method, SECONDS)) {
                work.proceed();
            }
    }

    /** A daemon thread that ends the JVM unless it is closed in time. */
    static final class Watch implements AutoCloseable {
        private final Thread thread;

        Watch(Object method, int seconds) {
            thread = Thread.ofPlatform().daemon().name("hang-guard").start(() -> {
                try {
                    TimeUnit.SECONDS.sleep(seconds);
                } catch (InterruptedException e) {
                    return; // closed
                }
                System.err.println(method + " has run for " + seconds + " s; this JVM ends. Its threads:");
                for (ThreadInfo info : ManagementFactory.getThreadMXBean().dumpAllThreads(true, true, 64))
                    System.err.print(info);
                System.err.flush();
                Runtime.getRuntime().halt(EXIT_CODE);
            });
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
