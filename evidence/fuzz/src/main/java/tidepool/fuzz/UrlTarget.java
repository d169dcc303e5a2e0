package tidepool.fuzz;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import tidepool.fabric.FabricUrl;
import tidepool.tcp.ClientCredentials;
import tidepool.wire.tls.CredentialsException;

/**
 * The URL of a pool is read, or refused by an {@link IllegalArgumentException}; the message never repeats a token in
 * it.
 */
final class UrlTarget implements FuzzTarget {
    @Override
    public void feed(byte[] input) {
        FabricUrl url;
        try {
            url = FabricUrl.parse(new String(input, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return;
        }
        Finding.unless(url.equals(FabricUrl.parse(url.text())), "what it says of itself reads differently");
        FabricUrl rest = url.without(Set.of("user", "tls"));
        Finding.unless(!rest.has("user") && !rest.has("tls"), "a parameter that was taken away is still there");
        for (String name : url.parameters().keySet()) ask(url, name);
        credentials(url);
    }

    private static void ask(FabricUrl url, String name) {
        refusing(() -> url.flag(name, true));
        refusing(() -> url.integer(name, 1, 0, 10));
        refusing(() -> Finding.unless(url.size(name, 0) >= 0, "a negative size"));
        refusing(() -> Finding.unless(!url.duration(name, Duration.ZERO).isNegative(), "a negative time"));
    }

    private static void credentials(FabricUrl url) {
        if (url.has("tokenFile") || url.has("ca")) return; // would open files of this machine
        try {
            ClientCredentials.of(url, _ -> null);
        } catch (CredentialsException e) {
            String token = url.string("token", "");
            Finding.unless(token.length() < 22 || !e.getMessage().contains(token), "a complaint repeats the token");
        } catch (IllegalArgumentException e) {
            // Refused.
        }
    }

    private static void refusing(Runnable question) {
        try {
            question.run();
        } catch (IllegalArgumentException e) {
            // Refused.
        }
    }
}
