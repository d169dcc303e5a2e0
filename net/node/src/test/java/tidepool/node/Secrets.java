package tidepool.node;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The secrets of a test, in every form in which they might be printed. */
final class Secrets {
    private final List<String> forms = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    Secrets add(String name, String text) {
        return form(name, text)
                .form(name, HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    /** Adds a number in decimal with and without a sign, in hexadecimal, and in hexadecimal from the lowest byte. */
    Secrets add(String name, long word) {
        return form(name, Long.toString(word))
                .form(name, Long.toUnsignedString(word))
                .form(name, Long.toHexString(word))
                .form(name, Long.toHexString(Long.reverseBytes(word)));
    }

    private Secrets form(String name, String form) {
        forms.add(form.toLowerCase(Locale.ROOT));
        names.add(name);
        return this;
    }

    /**
     * Asserts that the text has no secret. The message names the secret and not the place, because it is printed too.
     */
    void assertNotIn(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (int i = 0; i < forms.size(); i++)
            if (lower.contains(forms.get(i))) throw new AssertionError("a " + names.get(i) + " was printed");
    }
}
