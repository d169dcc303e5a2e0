package tidepool.cli;

import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.logging.Level;
import tidepool.fabric.FabricUrl;
import tidepool.node.NodeLimits;
import tidepool.node.journal.Durability;
import tidepool.wire.HostPort;
import tidepool.zookeeper.ZkUrl;

/**
 * The values of a node's settings: from the command line, else from the config file, else the default. An invalid value
 * throws an {@link IllegalArgumentException} that names the flag or the line of the file.
 */
final class NodeSettings {
    private static final long MIN_CONNECTION_BYTES = 32 << 20;

    static final List<String> KEYS =
            Arrays.stream(NodeSetting.values()).map(setting -> setting.key).toList();

    private final Map<NodeSetting, ConfigFile.Entry> given = new EnumMap<>(NodeSetting.class);

    /** @param flags the values given on the command line; null for a setting that was not given */
    NodeSettings(Function<NodeSetting, String> flags, Path config) {
        Map<String, ConfigFile.Entry> file = config == null ? Map.of() : ConfigFile.read(config, KEYS);
        for (NodeSetting setting : NodeSetting.values()) {
            String flag = flags.apply(setting);
            if (flag != null) given.put(setting, new ConfigFile.Entry(flag, null));
            else if (file.containsKey(setting.key)) given.put(setting, file.get(setting.key));
        }
        for (NodeSetting setting : NodeSetting.values()) check(setting);
    }

    /** Returns the value as it was given, or the default; empty if there is none. */
    String text(NodeSetting setting) {
        ConfigFile.Entry entry = given.get(setting);
        return entry == null ? setting.standard : entry.value();
    }

    boolean has(NodeSetting setting) {
        return !text(setting).isEmpty();
    }

    /** Returns null if there is none. */
    Path path(NodeSetting setting) {
        return has(setting) ? parse(setting, (name, value) -> Path.of(value)) : null;
    }

    long size(NodeSetting setting) {
        return parse(setting, FabricUrl::parseSize);
    }

    Duration time(NodeSetting setting) {
        return parse(setting, FabricUrl::parseDuration);
    }

    boolean isOn(NodeSetting setting) {
        return parse(setting, NodeSettings::parseSwitch);
    }

    /** Returns null if there is none. */
    InetSocketAddress address(NodeSetting setting) {
        return has(setting)
                ? parse(setting, (name, value) -> HostPort.parse(name, value).resolve(name))
                : null;
    }

    Level logLevel() {
        return parse(NodeSetting.LOG_LEVEL, (name, value) -> switch (value) {
            case "error" -> Level.SEVERE;
            case "warning" -> Level.WARNING;
            case "info" -> Level.INFO;
            case "debug" -> Level.FINE;
            default ->
                throw new IllegalArgumentException(name + " takes error, warning, info or debug, not '" + value + "'");
        });
    }

    Durability durability() {
        return parse(NodeSetting.DURABILITY, (name, value) -> switch (value) {
            case "none" -> Durability.NONE;
            case "flush" -> Durability.FLUSH;
            case "strict" -> Durability.STRICT;
            default -> throw new IllegalArgumentException(name + " takes none, flush or strict, not '" + value + "'");
        });
    }

    String name() {
        return parse(NodeSetting.NAME, (name, value) -> {
            if (value.isEmpty()) return "node-" + address(NodeSetting.LISTEN).getPort();
            if (value.matches("[A-Za-z0-9._-]{1,64}")) return value;
            throw new IllegalArgumentException(
                    name + " takes up to 64 letters, digits, dots, dashes and underscores, not '" + value + "'");
        });
    }

    /** Returns null if there is none. */
    ZkUrl zookeeper() {
        return has(NodeSetting.ZK) ? parse(NodeSetting.ZK, (name, value) -> ZkUrl.parse(value)) : null;
    }

    /** Returns null if none is given. */
    HostPort advertised() {
        return has(NodeSetting.ZK_ADDRESS) ? parse(NodeSetting.ZK_ADDRESS, HostPort::parse) : null;
    }

    /** Returns the alarm level in percent. */
    int alarm() {
        return parse(NodeSetting.ALARM, (name, value) -> {
            if (value.matches("[1-9][0-9]?%|100%")) return Integer.parseInt(value.substring(0, value.length() - 1));
            throw new IllegalArgumentException(name + " takes 1% to 100%, not '" + value + "'");
        });
    }

    NodeLimits limits() {
        return new NodeLimits(
                number(NodeSetting.MAX_CONNECTIONS, 1, 1_000_000),
                number(NodeSetting.MAX_CONNECTIONS_PER_CLIENT, 1, 1_000_000),
                number(NodeSetting.MAX_OUTSTANDING, 1, 1_000_000),
                bytes(NodeSetting.MAX_FRAME, 4096, 1 << 26),
                bytes(NodeSetting.MAX_UNSENT, 4096, 1 << 30),
                time(NodeSetting.HANDSHAKE_TIME),
                time(NodeSetting.SLOW_READER_TIME),
                has(NodeSetting.MAX_CONNECTION_MEMORY)
                        ? bytes(NodeSetting.MAX_CONNECTION_MEMORY, 1 << 20, Integer.MAX_VALUE)
                        : Math.max(MIN_CONNECTION_BYTES, size(NodeSetting.MEMORY) / 4),
                number(NodeSetting.MAX_STRANGERS_PER_ADDRESS, 1, 1_000_000));
    }

    /** Returns the effective settings as a config file. Settings without a value appear as comments. */
    String page() {
        StringBuilder page = new StringBuilder("# Settings of a memory node: tidepool node --config FILE.\n");
        for (NodeSetting setting : NodeSetting.values()) {
            page.append("\n# ").append(setting.description).append('\n');
            if (has(setting))
                page.append(setting.key).append(" = ").append(text(setting)).append('\n');
            else
                page.append("# ")
                        .append(setting.key)
                        .append(" = ")
                        .append(setting.label)
                        .append('\n');
        }
        return page.toString();
    }

    /** Checks a setting, so that an invalid value is refused even if this start would not use it. */
    private void check(NodeSetting setting) {
        switch (setting) {
            case LISTEN, METRICS -> address(setting);
            case NAME -> name();
            case MEMORY -> size(setting);
            case DIR, CREDENTIALS, TLS_CERT, TLS_KEY, TLS_CA -> path(setting);
            case HANDLERS, METRICS_ANYWHERE, REJOIN -> isOn(setting);
            case LEASE, GRACE, ZK_LEASE -> time(setting);
            case ZK -> zookeeper();
            case ZK_ADDRESS -> advertised();
            case ALARM -> alarm();
            case LOG_LEVEL -> logLevel();
            case DURABILITY -> durability();
            default -> limits();
        }
    }

    private int number(NodeSetting setting, int min, int max) {
        return parse(setting, (name, value) -> {
            try {
                int number = Integer.parseInt(value);
                if (number >= min && number <= max) return number;
            } catch (NumberFormatException e) {
                // falls through to the exception below, which covers both
            }
            throw new IllegalArgumentException(
                    name + " takes a whole number from " + min + " to " + max + ", not '" + value + "'");
        });
    }

    private int bytes(NodeSetting setting, int min, int max) {
        return parse(setting, (name, value) -> {
            long size = FabricUrl.parseSize(name, value);
            if (size >= min && size <= max && size % 8 == 0) return (int) size;
            throw new IllegalArgumentException(name + " takes a multiple of 8 bytes from " + min + " to " + (max >> 20)
                    + "m, not '" + value + "'");
        });
    }

    private static boolean parseSwitch(String name, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException(name + " takes on or off, not '" + value + "'");
        };
    }

    /** Parses a value. The parser gets the name under which it reports errors. */
    private <T> T parse(NodeSetting setting, BiFunction<String, String, T> parser) {
        ConfigFile.Entry entry = given.get(setting);
        boolean isInFile = entry != null && entry.place() != null;
        String name = isInFile ? entry.place() + ": " + setting.key : setting.flag();
        try {
            return parser.apply(name, text(setting));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(name + " takes a path, not '" + text(setting) + "'", e);
        }
    }
}
