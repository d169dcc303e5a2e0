// The Gradle form of pom.xml: first ./tidepool install, then gradle -p examples/consumer/embedded run.
plugins {
    application
}

repositories {
    mavenLocal()
}

dependencies {
    implementation(platform("dev.tidepool:tidepool-bom:0.1.0-SNAPSHOT"))
    implementation("dev.tidepool:tidepool-api")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

application {
    mainModule = "app"
    mainClass = "app.Main"
}
