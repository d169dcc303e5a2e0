package tidepool.fabric.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A prefetch instruction for Java: it loads memory into the cache without waiting for it. An ordinary load does so too,
 * but no later instruction retires before the memory has arrived, so the processor stalls after some 300 instructions.
 * The prefetch instruction does not wait. Java cannot express it, so it is called as a function of seven bytes that are
 * written here.
 *
 * <p>Used if native access is allowed ({@code --enable-native-access}) on Linux and x86-64, and if a process gives many
 * hints: the functions take a tenth of a second to make, in a thread of their own. Everywhere else, and until then,
 * hints are loads.
 *
 * <p>The instruction never faults, whatever its address, and changes nothing. Memory that is unmapped meanwhile does no
 * harm.
 */
@SuppressWarnings("restricted") // used only if native access is allowed
final class Prefetch {
    /** Hints after which the functions are made. A process that ends sooner would not regain their cost. */
    private static final int MANY = 10_000;

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    /** Plain: a thread that sees it late gives hints by loads a little longer. */
    private static boolean ready;

    private Prefetch() {}

    /** The functions; they exist as long as the process runs. */
    private static final class Code {
        private static final byte[] READ_TWO = {
            0x0f,
            0x18,
            0x0f, // prefetcht0 [rdi]
            0x0f,
            0x18,
            0x0e, // prefetcht0 [rsi]
            (byte) 0xc3, // ret
        };
        private static final byte[] WRITE_TWO = {
            0x0f,
            0x0d,
            0x0f, // prefetchw [rdi]
            0x0f,
            0x0d,
            0x0e, // prefetchw [rsi]
            (byte) 0xc3, // ret
        };
        private static final long PAGE = 4096;
        private static final int READ_WRITE = 1 | 2;
        private static final int READ_EXECUTE = 1 | 4;
        private static final int PRIVATE_ANONYMOUS = 0x02 | 0x20;

        private static final Linker LINKER = Linker.nativeLinker();
        static final MethodHandle TO_READ = function(READ_TWO);
        static final MethodHandle TO_WRITE = function(WRITE_TWO);

        private static MethodHandle function(byte[] code) {
            MemorySegment page = MemorySegment.ofAddress(mmap(PAGE, READ_WRITE, PRIVATE_ANONYMOUS))
                    .reinterpret(PAGE, Arena.global(), null);
            MemorySegment.copy(code, 0, page, JAVA_BYTE, 0, code.length);
            mprotect(page.address(), PAGE, READ_EXECUTE);
            // Critical: it ends at once, so a thread that stops all others need not know that it runs.
            return LINKER.downcallHandle(
                    page, FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG), Linker.Option.critical(false));
        }

        /** {@code mmap(addr, length, prot, flags, fd, offset)} of memory without a file, at any free address. */
        private static long mmap(long length, int protection, int flags) {
            MethodHandle mmap = c(
                    "mmap",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
            try {
                long at = (long) mmap.invokeExact(0L, length, protection, flags, -1, 0L);
                if (at == -1) throw new IllegalStateException("no page");
                return at;
            } catch (Throwable e) {
                throw new IllegalStateException("mmap", e);
            }
        }

        /** {@code mprotect(addr, length, prot)}. */
        private static void mprotect(long address, long length, int protection) {
            MethodHandle mprotect = c("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
            try {
                if ((int) mprotect.invokeExact(address, length, protection) != 0)
                    throw new IllegalStateException("not executable");
            } catch (Throwable e) {
                throw new IllegalStateException("mprotect", e);
            }
        }

        private static MethodHandle c(String name, FunctionDescriptor descriptor) {
            return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor);
        }
    }

    static boolean isReady() {
        return ready;
    }

    /**
     * Called with the number of hints that a region has given by loads; starts to make the functions at {@link #MANY}.
     */
    static void hinted(int loads) {
        if (loads != MANY || !isPossible() || !BEGUN.compareAndSet(false, true)) return;
        Thread.ofPlatform().name("tidepool-prefetch").daemon().start(Prefetch::prepare);
    }

    private static boolean isPossible() {
        return "amd64".equals(System.getProperty("os.arch"))
                && "Linux".equals(System.getProperty("os.name"))
                && Prefetch.class.getModule().isNativeAccessEnabled();
    }

    /** Makes the functions. Returns false if the system does not allow it. */
    static boolean prepare() {
        try {
            near(0, 0, false);
            ready = true;
        } catch (LinkageError e) {
            ready = false; // hints stay loads
        }
        return ready;
    }

    /** Prefetches the lines of two addresses; only if it is ready. */
    static void near(long one, long other, boolean written) {
        try {
            if (written) Code.TO_WRITE.invokeExact(one, other);
            else Code.TO_READ.invokeExact(one, other);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e); // the function throws nothing
        }
    }
}
