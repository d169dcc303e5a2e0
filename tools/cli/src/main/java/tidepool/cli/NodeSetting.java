package tidepool.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tidepool.node.NodeLimits;

/**
 * The settings of a node. Each is defined once for the command line, the config file, the help and the page that
 * {@code --print-config} writes.
 */
enum NodeSetting {
    LISTEN("HOST:PORT", "127.0.0.1:7400", "Address for clients; port 0 takes any free port."),
    NAME("NAME", "", "Name of this node for clients and logs; default node-PORT."),
    MEMORY("SIZE", "1g", "The most memory that regions of all pools together may take."),
    DIR("FOLDER", "", "Keep regions, or a journal, in this folder; default: memory of the process, lost when it ends."),
    DURABILITY(
            "none|flush|strict",
            "none",
            "What an answered FLUSH survives: nothing; the death of the node; a loss of power. All but none"
                    + " keep a journal"
                    + " in --dir."),
    HANDLERS("on|off", "on", "Whether CALLs are answered."),
    LEASE("TIME", "2s", "How long a client may be silent before it is suspected."),
    GRACE("TIME", "10ms", "How long a client may be without a connection before it is suspected."),
    CREDENTIALS("FILE", "", "Client names, tokens and rights; the node reads the file again when it changes."),
    TLS_CERT("FILE", "", "The node's certificate chain (PEM): all connections are TLS 1.3."),
    TLS_KEY("FILE", "", "The private key of the certificate (PEM, PKCS #8)."),
    TLS_CA("FILE", "", "Certificate authority of the clients (PEM)."),
    MAX_CONNECTIONS("N", "" + NodeLimits.DEFAULT.connections(), "Connections of all clients together."),
    MAX_CONNECTIONS_PER_CLIENT(
            "N",
            "" + NodeLimits.DEFAULT.connectionsPerClient(),
            "Connections of one client name, or of one address where there are no names."),
    MAX_OUTSTANDING("N", "" + NodeLimits.DEFAULT.outstandingRounds(), "Unanswered rounds of one connection."),
    MAX_FRAME("SIZE", size(NodeLimits.DEFAULT.frameBytes()), "The longest frame."),
    MAX_UNSENT("SIZE", size(NodeLimits.DEFAULT.unsentBytes()), "Answers that one connection may leave unread."),
    MAX_CONNECTION_MEMORY(
            "SIZE",
            "",
            "Memory of all connections together, in addition to --memory; default: a quarter of --memory, at"
                    + " least 32m."),
    MAX_STRANGERS_PER_ADDRESS(
            "N",
            "" + NodeLimits.DEFAULT.strangersPerAddress(),
            "Connections of one address that are not authenticated yet."),
    HANDSHAKE_TIME("TIME", time(NodeLimits.DEFAULT.handshake()), "Time limit for the handshake of a new connection."),
    SLOW_READER_TIME("TIME", time(NodeLimits.DEFAULT.slowReader()), "How long answers may be left unread."),
    ZK("URL", "", "Register as a node of the pool zk://HOST:PORT,…/POOL; see docs/operating/pools.md."),
    ZK_ADDRESS("HOST:PORT", "", "Address at which clients and other nodes reach this node; default: that of --listen."),
    ZK_LEASE("TIME", "2s", "How long ZooKeeper waits for this node before it counts as missing."),
    REJOIN("on|off", "off", "If the pool has removed this node, set its folder aside and join as a new node."),
    ALARM("PERCENT", "90%", "Warn in status and metrics when this share of the memory is used."),
    METRICS("HOST:PORT", "", "Serve /metrics (Prometheus) and /health by HTTP at this address; default: not served."),
    METRICS_ANYWHERE(
            "on|off", "off", "Let --metrics listen on other addresses than loopback, where any host" + " can read it."),
    LOG_LEVEL("LEVEL", "info", "What is logged: error, warning, info or debug.");

    final String key;
    final String label;
    final String standard;
    final String description;

    NodeSetting(String label, String standard, String description) {
        this.key = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.label = label;
        this.standard = standard;
        this.description = description;
    }

    /** Returns the name on the command line. */
    String flag() {
        return "--" + key;
    }

    boolean isSwitch() {
        return label.equals("on|off");
    }

    /** Adds an option to the command for each setting. */
    static final class Options implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec command) {
            for (NodeSetting setting : values()) command.addOption(setting.option());
            return command;
        }
    }

    private OptionSpec option() {
        String otherwise = standard.isEmpty() || description.contains("default") ? "" : " Default " + standard + ".";
        List<String> values = isSwitch()
                ? List.of("on", "off")
                : this == LOG_LEVEL
                        ? List.of("error", "warning", "info", "debug")
                        : this == DURABILITY ? List.of("none", "flush", "strict") : List.of();
        return OptionSpec.builder(flag())
                .type(String.class)
                .arity(isSwitch() ? "0..1" : "1")
                .fallbackValue(isSwitch() ? "on" : "")
                .paramLabel(label)
                .completionCandidates(values)
                .description((description + otherwise).replace("%", "%%"))
                .build();
    }

    private static String size(int bytes) {
        return Integer.numberOfTrailingZeros(bytes) >= 20 ? (bytes >> 20) + "m" : "" + bytes;
    }

    private static String time(Duration time) {
        return time.toSeconds() + "s";
    }
}
