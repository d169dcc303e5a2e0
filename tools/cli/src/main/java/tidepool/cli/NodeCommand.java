package tidepool.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tidepool.node.JournalFailedException;
import tidepool.node.MemoryServer;
import tidepool.node.metrics.MetricsEndpoint;
import tidepool.node.metrics.NodeHealth;
import tidepool.wire.NodeStatus;

/** {@code tidepool node}: runs one memory node until the process is asked to stop. */
@Command(
        name = "node",
        description = {
            "Serve memory to clients over the network.",
            "One line says when it is ready. SIGTERM and ^C stop it in order, with exit code 0. See"
                    + " docs/operating/nodes.md."
        },
        modelTransformer = NodeSetting.Options.class)
final class NodeCommand implements Callable<Integer> {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Read settings from lines of 'name = value', with the names of these options, which win.")
    Path config;

    @Option(names = "--print-config", description = "Print the settings as a config file with comments, and exit.")
    boolean printConfig;

    /** The exit code of a node whose disk has failed; EX_IOERR of sysexits.h. */
    static final int DISK_FAILED = 74;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        NodeSettings settings = settings();
        PrintWriter out = spec.commandLine().getOut();
        if (printConfig) {
            out.print(settings.page());
            out.flush();
            return 0;
        }
        NodeLog.to(spec.commandLine().getErr(), settings.logLevel());
        NodeEnd.install();
        NodeStart start = new NodeStart(settings);
        NodeInPool inPool = settings.zookeeper() == null ? null : new NodeInPool(settings);
        MemoryServer server = start.server(inPool == null ? null : inPool.identity());
        server.tell(() -> told(settings, inPool));
        NodeHealth health = new NodeHealth(server);
        MetricsEndpoint metrics = start.metrics(server, health);
        Thread hook = new Thread(() -> stop(server, inPool, health, settings.name(), out), "tidepool-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        if (inPool != null) inPool.register(server);
        out.println(start.ready(server, metrics) + (inPool == null ? "" : ", " + inPool.ready()));
        out.flush();
        try {
            server.awaitEnd();
            return 0;
        } catch (IllegalStateException e) {
            Runtime.getRuntime().removeShutdownHook(hook);
            boolean disk = e.getCause() instanceof JournalFailedException;
            throw new UserError(
                    "node " + settings.name() + " failed: "
                            + (disk ? e.getCause().getMessage() : e.getCause()),
                    disk ? DISK_FAILED : 1);
        }
    }

    private static Map<String, Long> told(NodeSettings settings, NodeInPool inPool) {
        Map<String, Long> told = new LinkedHashMap<>();
        told.put(NodeStatus.ALARM, (long) settings.alarm());
        if (inPool != null) inPool.tell(told);
        return told;
    }

    private NodeSettings settings() {
        ParseResult parsed = spec.commandLine().getParseResult();
        try {
            return new NodeSettings(setting -> parsed.matchedOptionValue(setting.flag(), null), config);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Called when the process is asked to end. Ends with exit code 0; otherwise the JVM would end with a code that
     * means killed.
     */
    private static void stop(MemoryServer server, NodeInPool inPool, NodeHealth health, String name, PrintWriter out) {
        NodeEnd.within();
        health.stops();
        if (inPool != null) inPool.close();
        server.close();
        out.println("node " + name + " stopped");
        out.flush();
        Runtime.getRuntime().halt(0);
    }
}
