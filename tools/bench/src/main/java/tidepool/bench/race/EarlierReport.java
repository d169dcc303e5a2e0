package tidepool.bench.race;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report that {@code --json} wrote earlier: the plain fields of its results, and its environment. */
public final class EarlierReport {
    private final Path file;
    private final String command;
    private final Map<String, String> environment;
    private final List<Map<String, String>> results;

    private EarlierReport(
            Path file, String command, Map<String, String> environment, List<Map<String, String>> results) {
        this.file = file;
        this.command = command;
        this.environment = environment;
        this.results = results;
    }

    /** Reads a report. Throws an {@link IllegalArgumentException} with one sentence if that fails. */
    public static EarlierReport read(Path file) {
        if (!Files.isReadable(file)) throw new IllegalArgumentException("no report to compare with: " + file);
        String command = "";
        Map<String, String> environment = new LinkedHashMap<>();
        List<Map<String, String>> results = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            if (json.nextToken() != JsonToken.START_OBJECT) throw notAReport(file, null);
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "command" -> command = json.getText();
                    case "environment" -> environment.putAll(fields(json));
                    case "results" -> {
                        while (json.nextToken() == JsonToken.START_OBJECT) results.add(fields(json));
                    }
                    default -> json.skipChildren();
                }
            }
        } catch (IOException | IllegalStateException e) {
            throw notAReport(file, e);
        }
        if (!command.startsWith("bench ")
                || results.isEmpty()
                || !results.getFirst().containsKey("commitsPerSecond")) throw notAReport(file, null);
        return new EarlierReport(file, command, environment, results);
    }

    private static IllegalArgumentException notAReport(Path file, Exception cause) {
        return new IllegalArgumentException("not a report that 'bench --json' has written: " + file, cause);
    }

    /** Returns the fields of the current object that are neither objects nor lists. */
    private static Map<String, String> fields(JsonParser json) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            if (json.currentToken() == null) throw new IOException("the file ends too early");
            String field = json.currentName();
            JsonToken value = json.nextToken();
            if (value.isStructStart()) json.skipChildren();
            else fields.put(field, json.getText());
        }
        return fields;
    }

    Path file() {
        return file;
    }

    String command() {
        return command;
    }

    Map<String, String> environment() {
        return environment;
    }

    /** Returns the result of a contender; null if it has none. */
    Map<String, String> of(String contender) {
        for (Map<String, String> result : results) if (contender.equals(result.get("contender"))) return result;
        return null;
    }
}
