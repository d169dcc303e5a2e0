package tidepool.fabric.shm;

import java.util.Locale;
import java.util.Set;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.direct.FlushMode;

/**
 * Options to open a pool. A null is replaced by the value of an existing pool, or by the default when one is created.
 *
 * @param nodes memory nodes; 3 when created
 * @param flushMode what FLUSH does; {@code none} when created
 * @param handlers whether CALLs are answered; they are when created
 * @param mode whether the pool may, must or must not exist already
 * @param revokeWaitMillis how long a revocation waits for a process that lives
 */
public record ShmOptions(Integer nodes, FlushMode flushMode, Boolean handlers, Mode mode, int revokeWaitMillis) {

    static final int DEFAULT_NODES = 3;
    static final int DEFAULT_REVOKE_WAIT_MILLIS = 2_000;

    /** Whether the pool may, must or must not exist already. */
    public enum Mode {
        CREATE,
        ATTACH,
        AUTO
    }

    /** Joins the pool, or creates one of three nodes. */
    public static ShmOptions defaults() {
        return new ShmOptions(null, null, null, Mode.AUTO, DEFAULT_REVOKE_WAIT_MILLIS);
    }

    static ShmOptions of(FabricUrl url) {
        url.allow(Set.of("nodes", "durability", "handlers", "mode", "revokeWaitMillis"));
        return new ShmOptions(
                url.has("nodes") ? Integer.valueOf(url.integer("nodes", 0, 1, PoolLayout.MAX_NODES)) : null,
                oneOf(url, "durability", FlushMode.class, null),
                url.has("handlers") ? Boolean.valueOf(url.flag("handlers", true)) : null,
                oneOf(url, "mode", Mode.class, Mode.AUTO),
                url.integer("revokeWaitMillis", DEFAULT_REVOKE_WAIT_MILLIS, 0, Integer.MAX_VALUE));
    }

    private static <E extends Enum<E>> E oneOf(FabricUrl url, String name, Class<E> type, E otherwise) {
        String value = url.string(name, null);
        if (value == null) return otherwise;
        StringBuilder known = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            String word = constant.name().toLowerCase(Locale.ROOT);
            if (word.equals(value)) return constant;
            known.append(known.isEmpty() ? "" : ", ").append(word);
        }
        throw new IllegalArgumentException(name + " takes one of " + known + ", not '" + value + "': " + url.text());
    }
}
