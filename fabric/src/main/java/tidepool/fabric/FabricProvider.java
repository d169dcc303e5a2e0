package tidepool.fabric;

/** Names a fabric and opens it; found by {@link java.util.ServiceLoader}. */
public interface FabricProvider {
    /** What stands before the colon of the URL. */
    String scheme();

    /** Opens the pool. Unknown or ill-formed parameters are an {@link IllegalArgumentException} with one sentence. */
    Fabric open(FabricUrl url);
}
