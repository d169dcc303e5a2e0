package tidepool.tcp.node;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Secrets of a test, in every form in which they might be printed. */
final class Secrets {
    private final List<String> forms = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    Secrets add(String name, String text) {
        return form(name, text)
                .form(name, HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    /** Decimal with and without a sign, hexadecimal, and byte by byte from the lower end. */
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

    /** Says which one was found, and not where: this is printed too. */
    void assertNotIn(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (int i = 0; i < forms.size(); i++)
            if (lower.contains(forms.get(i))) throw new AssertionError("a " + names.get(i) + " was printed");
    }
}
