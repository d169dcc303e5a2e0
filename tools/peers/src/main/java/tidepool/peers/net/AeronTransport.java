package tidepool.peers.net;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.TimeoutException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import tidepool.bench.net.Ping;
import tidepool.bench.net.Pong;
import tidepool.bench.net.RawTransport;

/**
 * Aeron over UDP. Its media driver runs on the thread of the application, which spins: on few cores that is its fastest
 * mode, because no threads wait for each other. Messages of a trip are one message of Aeron.
 */
public final class AeronTransport implements RawTransport {
    static final int STREAM = 1;
    private static final int MTU_BYTES = 8192;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    public AeronTransport() {}

    @Override
    public Pong listen() {
        return new AeronPong();
    }

    @Override
    public Ping connect(int port) {
        return new AeronPing(port);
    }

    /** A media driver and its client on the calling thread. */
    static final class End implements AutoCloseable {
        private static final AtomicInteger COUNT = new AtomicInteger();

        private final MediaDriver driver;
        private final Aeron aeron;

        End() {
            driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(folder())
                    .threadingMode(ThreadingMode.INVOKER)
                    .mtuLength(MTU_BYTES)
                    .warnIfDirectoryExists(false)
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true));
            aeron = Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(driver.aeronDirectoryName())
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker()));
        }

        /** Returns a folder among the files that are removed after the measurement, in memory if there is room. */
        private static String folder() {
            String name = "aeron-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
            return Path.of(System.getProperty("java.io.tmpdir"), name).toString();
        }

        Aeron aeron() {
            return aeron;
        }

        /** Runs one step of the driver and of its client. */
        void turn() {
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
        }

        void await(BooleanSupplier condition) {
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (!condition.getAsBoolean()) {
                turn();
                if (System.nanoTime() > end) throw new TimeoutException("nothing is heard of the other end");
            }
        }

        /** Returns a subscription on a free port. */
        Subscription subscribe() {
            Subscription subscription = aeron.addSubscription(channel(0), STREAM);
            await(() -> subscription.tryResolveChannelEndpointPort() != null);
            return subscription;
        }

        static int port(Subscription subscription) {
            String address = subscription.localSocketAddresses().getFirst();
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        }

        @Override
        public void close() {
            aeron.close();
            driver.close();
        }
    }

    static String channel(int port) {
        return new ChannelUriStringBuilder()
                .media(CommonContext.UDP_MEDIA)
                .endpoint("127.0.0.1:" + port)
                .build();
    }
}
