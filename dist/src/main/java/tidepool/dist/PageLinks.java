package tidepool.dist;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Links of Markdown pages that move from the checkout to the distribution. A link to a page that moves too follows it.
 * Of a link to any other file of the checkout only the text stays.
 */
final class PageLinks {
    private static final Pattern LINK = Pattern.compile("\\[([^\\[\\]]*)\\]\\(([^()#\\s]+)(#[^()\\s]*)?\\)");

    private final Map<String, String> places;

    /** @param places of the pages in the distribution, by their path in the checkout */
    PageLinks(Map<String, String> places) {
        this.places = places;
    }

    /** Returns the text of a page with links that hold in the distribution. */
    String rewrite(String page, String text) {
        return LINK.matcher(text).replaceAll(link -> Matcher.quoteReplacement(rewritten(page, link)));
    }

    private String rewritten(String page, MatchResult link) {
        String target = link.group(2);
        if (target.contains("://")) return link.group();
        String place =
                places.get(Path.of(page).resolveSibling(target).normalize().toString());
        if (place == null) return link.group(1);
        Path from = Path.of(places.get(page)).getParent();
        String anchor = link.group(3) == null ? "" : link.group(3);
        return "[" + link.group(1) + "](" + from.relativize(Path.of(place)) + anchor + ")";
    }
}
