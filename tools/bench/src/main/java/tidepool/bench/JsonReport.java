package tidepool.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Writer of {@code {"schema":1,"command":…,"environment":{…},"results":[…]}}, the common format of every
 * {@code --json}.
 */
public final class JsonReport {
    private static final int SCHEMA = 1;

    private JsonReport() {}

    /** Writes one result as an object. */
    @FunctionalInterface
    public interface ResultWriter<T> {
        void write(JsonGenerator json, T result) throws IOException;
    }

    /**
     * Writes a temporary file next to the report and moves it into place, so that an old report is replaced wholly or
     * not at all.
     */
    public static <T> void write(Path file, String command, List<T> results, ResultWriter<T> writer) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            Path draft = Files.createTempFile(directory, file.getFileName().toString(), ".draft");
            try (JsonGenerator json = new JsonFactory().createGenerator(Files.newBufferedWriter(draft))) {
                json.useDefaultPrettyPrinter();
                json.writeStartObject();
                json.writeNumberField("schema", SCHEMA);
                json.writeStringField("command", command);
                json.writeObjectFieldStart("environment");
                for (Map.Entry<String, String> fact : Environment.describe().entrySet())
                    json.writeStringField(fact.getKey(), fact.getValue());
                json.writeEndObject();
                json.writeArrayFieldStart("results");
                for (T result : results) {
                    json.writeStartObject();
                    writer.write(json, result);
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the report could not be written: " + file + ": " + e.getMessage(), e);
        }
    }
}
