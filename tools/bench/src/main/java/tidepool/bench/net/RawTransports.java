package tidepool.bench.net;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The transports of {@code bench net}, by name. Foreign ones are in the module {@code peers}. */
public final class RawTransports {
    /** The transports that need only the JDK. */
    public static final List<String> OWN = List.of("nio-spin", "nio-select", "blocking");

    private static final String FOREIGN = "tidepool.peers.net.";
    private static final Map<String, String> CLASSES = new LinkedHashMap<>();

    static {
        CLASSES.put("nio-spin", SocketTransport.Spin.class.getName());
        CLASSES.put("nio-select", SocketTransport.Select.class.getName());
        CLASSES.put("blocking", SocketTransport.Blocking.class.getName());
        CLASSES.put("netty-nio", FOREIGN + "NettyTransport$Nio");
        CLASSES.put("netty-epoll", FOREIGN + "NettyTransport$Epoll");
        CLASSES.put("netty-epoll-spin", FOREIGN + "NettyTransport$EpollSpin");
        CLASSES.put("aeron-udp", FOREIGN + "AeronTransport");
    }

    private RawTransports() {}

    public static List<String> names() {
        return List.copyOf(CLASSES.keySet());
    }

    /** Returns whether the transport needs libraries that are not on our own class path. */
    public static boolean isForeign(String name) {
        return CLASSES.getOrDefault(name, "").startsWith(FOREIGN);
    }

    static RawTransport named(String name) {
        try {
            return Class.forName(CLASSES.get(name))
                    .asSubclass(RawTransport.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " is not on the class path", e);
        }
    }
}
