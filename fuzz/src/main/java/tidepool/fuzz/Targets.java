package tidepool.fuzz;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All targets by name. */
final class Targets {
    private static final Map<String, Supplier<Target>> ALL = new TreeMap<>(Map.of(
            "frames", FramesTarget::new,
            "handshake", HandshakeTarget::new,
            "credentials", CredentialsTarget::new,
            "url", UrlTarget::new,
            "region", RegionTarget::new,
            "node", NodeTarget::new,
            "journal", JournalTarget::new,
            "log", LogTarget::new));

    private Targets() {}

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** A new one; null if nobody is called so. */
    static Target make(String name) {
        Supplier<Target> maker = ALL.get(name);
        return maker == null ? null : maker.get();
    }
}
