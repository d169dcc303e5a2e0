package tidepool.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine and software of a measurement. Goes into every report, because a figure without it means little. */
public final class Environment {
    private Environment() {}

    public static Map<String, String> describe() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("java", System.getProperty("java.vendor") + " " + Runtime.version());
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("cpu", cpu());
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("heapBytes", Long.toString(Runtime.getRuntime().maxMemory()));
        return facts;
    }

    private static String cpu() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
