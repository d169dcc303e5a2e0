package tidepool.fabric;

/** A service that names a fabric and opens it; found by {@link java.util.ServiceLoader}. */
public interface FabricProvider {
    /** Returns the text before the colon of the URL. */
    String scheme();

    /** Opens the pool. Unknown or ill-formed parameters cause an {@link IllegalArgumentException} with one sentence. */
    Fabric open(FabricUrl url);
}
