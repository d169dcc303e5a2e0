package tidepool.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.base.NameSuggestion;

/**
 * Reader of config files with one {@code name = value} per line. A {@code #} at the beginning of a line or after a
 * blank starts a comment. Anything else throws an {@link IllegalArgumentException} that names the line.
 */
final class ConfigFile {
    private static final long MAX_BYTES = 1 << 20;

    /** A value and its position in the file. */
    record Entry(String value, String place) {}

    private ConfigFile() {}

    /** @param known the names that the file may contain */
    static Map<String, Entry> read(Path file, List<String> known) {
        try {
            if (Files.isDirectory(file)) throw new IllegalArgumentException("a folder, not a config file: " + file);
            if (Files.size(file) > MAX_BYTES) throw new IllegalArgumentException("too long for a config file: " + file);
            return parse(file.toString(), Files.readAllLines(file), known);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("no such config file: " + file, e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not a text in UTF-8: " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the config file " + file + ": " + e.getMessage(), e);
        }
    }

    static Map<String, Entry> parse(String name, List<String> lines, List<String> known) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String place = name + ":" + (i + 1);
            String line = lines.get(i).replaceFirst("(^|\\s)#.*", "").strip();
            if (line.isEmpty()) continue;
            int equals = line.indexOf('=');
            String key = equals < 0 ? "" : line.substring(0, equals).strip();
            String value = line.substring(equals + 1).strip();
            require(!key.isEmpty(), place, "not of the form 'name = value': '" + line + "'");
            if (!known.contains(key)) {
                String nearest = NameSuggestion.to(key, known);
                String advice = nearest == null ? "" : "; did you mean '" + nearest + "'?";
                throw new IllegalArgumentException(place + ": unknown setting '" + key + "'" + advice);
            }
            require(!value.isEmpty(), place, key + " has no value");
            Entry earlier = entries.put(key, new Entry(value, place));
            require(
                    earlier == null,
                    place,
                    key + " is set twice" + (earlier == null ? "" : ", first at " + earlier.place()));
        }
        return entries;
    }

    private static void require(boolean holds, String place, String sentence) {
        if (!holds) throw new IllegalArgumentException(place + ": " + sentence);
    }
}
